import type { Resource, ResourceName } from '../model/calendar.ts';
import { emptyList } from '../model/fields/field.ts';
import { resources } from '../model/resources/all.ts';
import type { Resources } from '../model/resources/declared.ts';
import { rareMembers } from '../model/unknown-names.ts';
import type { Definitions, FormDefinition } from './definition.ts';

const toDefinition = ({ fields, response, mainFields }: Resource): FormDefinition => ({
  mainFields,
  members: [...response.members.filter((member) => member.response !== emptyList).map(({ name }) => name), ...rareMembers],
  fields: fields.map((field) => ({
    name: field.name,
    about: field.about,
    control: field.control,
    ...(field.required && { required: true }),
    ...(field.many && { many: true }),
    ...(field.isDeclared && { isDeclared: true }),
    ...(field.choices && { choices: field.choices }),
    ...(field.links && field.links in resources && { links: field.links as ResourceName }),
  })),
});

export const toDefinitions = (all: Resources): Definitions =>
  Object.fromEntries(Object.entries(all).map(([name, resource]) => [name, toDefinition(resource)])) as Definitions;

export const definitions = toDefinitions(resources);
