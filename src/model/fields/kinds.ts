/** Every kind of field, for definitions like `field.date('Start date')`. */
export * from './cost.ts';
export * from './date.ts';
export * from './field.ts';
export * from './link.ts';
export * from './number.ts';
export * from './status.ts';
export * from './text.ts';
