/** Collects what is without effect in the files of a definition, and refuses what is wrong. */

import { problem } from '../../lib/problems/problem.ts';
import { findNameFault, LAYER_NAMES_ALLOWED, layerNames } from '../../lib/text/name-rule.ts';
import { findNearestName } from '../../lib/text/nearest-name.ts';
import { toPrintable } from '../../lib/text/wording.ts';

/** Where something is written. */
export interface DefinitionPosition {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/** A value with its key and its place. */
export interface Entry extends DefinitionPosition {
  readonly key: string;
  readonly value: string;
}

/** The reason is the end of a sentence. */
export function createDefinitionError({ file, line }: DefinitionPosition, key: string, reason: string): Error {
  return problem('mosaic-definition-invalid', { file, line, key: toPrintable(key, 60), reason });
}

/** Coverages are published and addressed by these names, so they follow the rule of published names. */
export function checkCoverageName(place: DefinitionPosition & { readonly key: string }, name: string): void {
  const fault = findCoverageNameFault(name);
  if (fault !== undefined) throw createDefinitionError(place, place.key, fault);
}

/** The end of a sentence; undefined for a valid name. */
export function findCoverageNameFault(name: string): string | undefined {
  const fault = findNameFault(name, layerNames);
  return fault && `'${formatExcerpt(name)}' is not a valid coverage name, because ${fault}; ${LAYER_NAMES_ALLOWED}`;
}

export function formatExcerpt(text: string): string {
  return toPrintable(text, 60);
}

export interface DefinitionWarnings {
  readonly warnings: readonly string[];
  /** A sentence. */
  warn(sentence: string): void;
  /** Something that is without effect here. */
  warnIgnored(place: DefinitionPosition, key: string, reason: string): void;
  /** A key that nobody knows: a mistake where the client is strict. */
  warnUnknown(place: DefinitionPosition, key: string, known: Iterable<string>): void;
}

export function createDefinitionWarnings(options: { readonly isStrict: boolean }): DefinitionWarnings {
  const warnings: string[] = [];
  const ignore = (place: DefinitionPosition, key: string, reason: string): void => {
    warnings.push(`'${formatExcerpt(key)}' (${place.file}, line ${place.line}) is ignored: ${reason}.`);
  };
  return {
    warnings,
    warn: (sentence) => void warnings.push(sentence),
    warnIgnored: ignore,
    warnUnknown(place, key, known) {
      const nearest = findNearestName(key, known);
      const reason = `the name is unknown${nearest === undefined ? '' : `; the closest known name is '${nearest}'`}`;
      if (options.isStrict) throw createDefinitionError(place, key, reason);
      ignore(place, key, reason);
    },
  };
}
