/** Parses names and paths with the prefixes of a mapping. */

import type { QualifiedName, TargetPath, TargetStep } from '../../port/mapping.ts';
import { formatExcerpt } from '../diagnostics.ts';
import { usualPrefixes } from '../xsd/schema-model.ts';

/** An error in a name or path; the message is the end of a sentence. */
export class PathError extends Error {
  override readonly name = 'PathError';
}

/** The property for chained features, which no schema defines. */
export const FEATURE_LINK = 'FEATURE_LINK';

/** Deeper than any schema; every step is traversed. */
const MAX_STEPS = 100;

const ncName = String.raw`[\p{L}_][\p{L}\p{N}\p{M}_.\-·]*`;
const qualified = new RegExp(`^(?:(${ncName}):)?(${ncName})$`, 'u');
const step = /^(@?)([^[\]]*)(?:\[(\d{1,9})\])?$/;

export function readQualifiedName(text: string, namespaces: ReadonlyMap<string, string>): QualifiedName {
  const match = qualified.exec(text.trim());
  if (match === null) throw new PathError(`'${formatExcerpt(text)}' is not a name such as gml:name`);
  const [, prefix = '', local = ''] = match;
  const uri = prefix === '' ? '' : (namespaces.get(prefix) ?? usualPrefixes.get(prefix));
  if (uri === undefined) {
    throw new PathError(
      `the prefix '${formatExcerpt(prefix)}' of '${formatExcerpt(text)}' is not declared in the namespaces of the mapping`,
    );
  }
  return { prefix, local, uri };
}

export function readTargetPath(text: string, namespaces: ReadonlyMap<string, string>): TargetPath {
  const written = text.trim().replace(/^\//, '').split('/');
  if (written.length > MAX_STEPS) throw new PathError(`the path has more than ${MAX_STEPS} steps`);
  const steps = written.map((each, index) => readStep(each.trim(), namespaces, index === written.length - 1));
  const [first] = steps;
  const isFeatureLink = first?.name.local === FEATURE_LINK && first.name.prefix === '';
  if (isFeatureLink && steps.length > 1) throw new PathError(`no step is allowed after ${FEATURE_LINK}`);
  return { text: text.trim(), steps, isFeatureLink };
}

function readStep(text: string, namespaces: ReadonlyMap<string, string>, isLast: boolean): TargetStep {
  const match = step.exec(text);
  if (match === null || match[2] === '') {
    throw new PathError(`'${formatExcerpt(text)}' is not a step such as gml:name, gml:name[2] or @xlink:href`);
  }
  const [, at = '', name = '', index] = match;
  const isAttribute = at === '@';
  if (isAttribute && (!isLast || index !== undefined)) {
    throw new PathError(`the attribute '${formatExcerpt(text)}' must be the last step and must have no index`);
  }
  if (Number(index ?? 1) < 1) throw new PathError(`the index of '${formatExcerpt(text)}' must be at least 1`);
  return { name: readQualifiedName(name, namespaces), isAttribute, index: Number(index ?? 1) };
}
