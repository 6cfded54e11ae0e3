/** Problems with WFS requests. */
import { excerpt } from '../../../text/excerpt.ts';
import { defineProblemKind } from '../kind.ts';

export const wfsProblems = {
  'wfs-type-unknown': defineProblemKind(
    400,
    'No feature type has that name, or the user has no access to it.',
    (d: { name: string }) => `Unknown feature type '${excerpt(d.name)}'.`,
  ),
  'wfs-schema-unknown': defineProblemKind(
    404,
    'The feature type has no schema document at that path, or the user has no access to the feature type.',
    (d: { path: string }) => `No such schema: '${excerpt(d.path)}'.`,
  ),
  'wfs-property-unknown': defineProblemKind(
    400,
    'The feature type has no property of that name.',
    (d: { name: string; type: string; properties: readonly string[] }) =>
      `The feature type '${d.type}' has no property '${excerpt(d.name)}'. Its properties are ${d.properties.join(', ')}.`,
  ),
  'wfs-join-too-large': defineProblemKind(
    400,
    'A join of feature types exceeds a limit.',
    (d: { what: string; most: number }) =>
      `The join exceeds the limit of ${d.most} ${d.what}. Add conditions that select fewer features of each type, or conditions with equal values or intersecting geometries between the types.`,
  ),
  'wfs-feature-unknown': defineProblemKind(
    404,
    'No feature has that id, or the user has no access to it.',
    (d: { id: string }) => `No such feature: '${excerpt(d.id)}'.`,
  ),
  'wfs-stored-query-unknown': defineProblemKind(
    400,
    'No stored query has that id.',
    (d: { id: string }) => `Unknown stored query '${excerpt(d.id)}'. ListStoredQueries returns the ids of all.`,
  ),
} as const;
