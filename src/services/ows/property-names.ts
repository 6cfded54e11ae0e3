/** Finds attributes by the names that clients send. Names are looked up and never evaluated. */
import type { PublishedAttribute } from '../../catalog/kinds/published-attribute.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { PublishedType } from '../access/published-type.ts';
import { unescapeXmlName } from './resolve-selection.ts';

/** Accepts `pop`, `topp:pop` and `topp:states/topp:pop`; longer paths are unknown. */
export function getPublishedAttribute(
  { attributes, qualifiedName }: PublishedType,
  written: string,
  parameter: string,
): PublishedAttribute {
  const names = new Set([written, getLastStep(written)].flatMap((name) => [name, unescapeXmlName(name)]));
  for (const name of names) {
    const found = attributes.find((each) => each.name === name);
    if (found !== undefined) return found;
  }
  throw problem('wfs-property-unknown', {
    name: written,
    type: qualifiedName,
    properties: attributes.map(({ name }) => excerpt(name)),
    field: parameter,
  });
}

function getLastStep(path: string): string {
  const [, name] = /^(?:[^/[\]()*@]+\/)?(?:[^/[\]()*@:]+:)?([^/[\]()*@:]+)$/.exec(path.trim()) ?? [];
  return name ?? path;
}
