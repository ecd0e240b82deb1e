import type { Resource, ResourceName } from '../model/calendar.ts';
import { resources } from '../model/resources/all.ts';
import type { Definitions, FormDefinition } from './definition.ts';

const toDefinition = ({ label, family, fields }: Resource): FormDefinition => ({
  label,
  ...(family === 'post' && { isPost: true }),
  fields: fields.map((field) => ({
    name: field.name,
    about: field.about,
    control: field.control,
    ...(field.required && { required: true }),
    ...(field.many && { many: true }),
    ...(field.choices && { choices: field.choices }),
    ...(field.join && { links: field.links as ResourceName }),
  })),
});

/** The fields of all resources, as plain data. */
export const definitions = Object.fromEntries(
  Object.entries(resources).map(([name, resource]) => [name, toDefinition(resource)]),
) as Definitions;
