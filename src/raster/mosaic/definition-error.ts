/** Collects warnings about a definition and creates its errors. */

import { problem } from '../../lib/problems/problem.ts';
import { findNameFault, LAYER_NAMES_ALLOWED, layerNames } from '../../lib/text/name-rule.ts';
import { findNearestName } from '../../lib/text/nearest-name.ts';
import { toPrintable } from '../../lib/text/wording.ts';

/** A position in a definition file. */
export interface DefinitionPosition {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** A value with its key and position. */
export interface Entry extends DefinitionPosition {
  readonly key: string;
  readonly value: string;
}

/** The reason completes a sentence. */
export function createDefinitionError({ file, line }: DefinitionPosition, key: string, reason: string): Error {
  return problem('mosaic-definition-invalid', { file, line, key: toPrintable(key, 60), reason });
}

/** Coverages are published under these names, so they follow the rule of layer names. */
export function checkCoverageName(place: DefinitionPosition & { readonly key: string }, name: string): void {
  const fault = findCoverageNameFault(name);
  if (fault !== undefined) throw createDefinitionError(place, place.key, fault);
}

/** Returns a reason that completes a sentence; undefined for a valid name. */
export function findCoverageNameFault(name: string): string | undefined {
  const fault = findNameFault(name, layerNames);
  return fault && `'${formatExcerpt(name)}' is not a valid coverage name, because ${fault}; ${LAYER_NAMES_ALLOWED}`;
}

export function formatExcerpt(text: string): string {
  return toPrintable(text, 60);
}

export interface DefinitionWarnings {
  readonly warnings: readonly string[];
  /** Adds a complete sentence. */
  warn(sentence: string): void;
  /** Warns about a key without effect. */
  warnIgnored(place: DefinitionPosition, key: string, reason: string): void;
  /** Warns about an unknown key, or throws in strict mode. */
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
