/** Finds attributes by the names that clients send. Names are looked up and never evaluated. */
import type { PublishedAttribute } from '../../catalog/kinds/published-attribute.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { PublishedType } from '../access/published-type.ts';
import { unescapeXmlName } from './resolve-selection.ts';

/** Accepts `pop`, `topp:pop` and `topp:states/topp:pop`. Longer paths, and those of other types, are unknown. */
export function getPublishedAttribute(
  published: PublishedType,
  written: string,
  parameter: string,
): PublishedAttribute {
  const { attributes, qualifiedName } = published;
  const names = new Set([written, getLastStep(published, written)].flatMap((name) => [name, unescapeXmlName(name)]));
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

function getLastStep({ name: typeName, records }: PublishedType, path: string): string {
  const [, type, name] =
    /^(?:(?:[^/[\]()*@:]+:)?([^/[\]()*@:]+)\/)?(?:[^/[\]()*@:]+:)?([^/[\]()*@:]+)$/.exec(path.trim()) ?? [];
  const isOfType =
    type === undefined ||
    [typeName, records.type.nativeName].some((each) => each === type || each === unescapeXmlName(type));
  return isOfType ? (name ?? path) : path;
}
