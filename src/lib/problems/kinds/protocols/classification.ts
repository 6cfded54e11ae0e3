/** Problems with classifications. */
import { excerpt } from '../../../text/excerpt.ts';
import { defineProblemKind } from '../kind.ts';

/** More names do not help. */
const MAX_LISTED = 30;

export const classificationProblems = {
  'classification-layer-unknown': defineProblemKind(
    404,
    'No layer has that name, or the user has no access to it.',
    (d: { name: string }) => `No such layer: '${excerpt(d.name)}'.`,
  ),
  'classification-layer-unsuitable': defineProblemKind(
    400,
    'Only layers of features and coverages have values to classify.',
    (d: { name: string; reason: string }) =>
      `The layer '${excerpt(d.name)}' cannot be classified: ${d.reason}. Use a layer of features or a coverage.`,
  ),
  'classification-attribute-unknown': defineProblemKind(
    400,
    'The layer has no attribute or band of that name.',
    (d: { name: string; known: readonly string[] }) =>
      `Unknown attribute '${excerpt(d.name)}'. Attributes of the layer: ${d.known.slice(0, MAX_LISTED).join(', ')}.`,
  ),
  'classification-method-unsuitable': defineProblemKind(
    400,
    'The method requires an attribute with numbers.',
    (d: { method: string; attribute: string }) =>
      `The method '${d.method}' requires numbers, but the attribute '${excerpt(d.attribute)}' has none. Use the method uniqueInterval.`,
  ),
  'classification-too-many-values': defineProblemKind(
    400,
    'The attribute has more different values than the limit.',
    (d: { attribute: string; limit: number }) =>
      `The attribute '${excerpt(d.attribute)}' has more than ${d.limit} different values. Use another method, a smaller bbox, or a larger intervalsForUnique.`,
  ),
  'classification-empty': defineProblemKind(
    404,
    'No value remains to classify.',
    (d: { attribute: string }) => `The attribute '${excerpt(d.attribute)}' has no values to classify.`,
  ),
} as const;
