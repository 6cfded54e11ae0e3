/** What can be wrong with a request to the WFS. */
import { excerpt } from '../../../text/excerpt.ts';
import { defineProblemKind } from '../kind.ts';

export const wfsProblems = {
  'wfs-type-unknown': defineProblemKind(
    400,
    'There is no feature type of that name, or none that this user may see.',
    (d: { name: string }) => `There is no feature type '${excerpt(d.name)}'.`,
  ),
  'wfs-schema-unknown': defineProblemKind(
    404,
    'The feature type has no schema document of that path, or there is no such type that this user may see.',
    (d: { path: string }) => `There is no schema '${excerpt(d.path)}' here.`,
  ),
  'wfs-property-unknown': defineProblemKind(
    400,
    'The feature type has no property of that name.',
    (d: { name: string; type: string; properties: readonly string[] }) =>
      `The feature type '${d.type}' has no property '${excerpt(d.name)}'; its properties are ${d.properties.join(', ')}.`,
  ),
  'wfs-feature-unknown': defineProblemKind(
    404,
    'There is no feature of that id, or none that this user may see.',
    (d: { id: string }) => `There is no feature '${excerpt(d.id)}'.`,
  ),
  'wfs-stored-query-unknown': defineProblemKind(
    400,
    'There is no stored query of that id.',
    (d: { id: string; known: string }) => `There is no stored query '${excerpt(d.id)}'; there is ${d.known}.`,
  ),
} as const;
