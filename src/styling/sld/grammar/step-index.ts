/** Finds the step of a content that a name belongs to. */
import type { ElementContent } from './content.ts';

/** Which step each name belongs to. */
type StepIndex = ReadonlyMap<string, number>;

const stepIndexes = new WeakMap<ElementContent, StepIndex>();

export function stepIndexOf(content: ElementContent): StepIndex {
  const known = stepIndexes.get(content);
  if (known !== undefined) return known;
  const index = new Map<string, number>();
  for (const [position, { names }] of content.steps.entries()) for (const name of names) index.set(name, position);
  stepIndexes.set(content, index);
  return index;
}
