/** Style sheets, which the bundler resolves. */
declare module '*.css';
