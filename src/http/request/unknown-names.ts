/** Collects unknown fields and query parameters: reported in warnings, or as an error with strict handling. */

import { type Problem, problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { findNearestName } from '../../lib/text/nearest-name.ts';
import type { QueryParameters } from './query.ts';

/** A document can contain a hundred thousand unknown names. */
const MAX_REPORTED = 10;

/** Accepted on every route. */
const commonParameters: readonly string[] = ['dryRun', 'quietOnNotFound'];

interface UnknownName {
  readonly what: 'field' | 'query parameter';
  /** With its path in the document: `workspace.nmae`. */
  readonly name: string;
  readonly nearest: string | undefined;
}

export class UnknownNames {
  readonly #reported: UnknownName[] = [];
  readonly #seen = new Set<string>();

  addField(at: string, name: string, known: readonly string[]): void {
    this.#add('field', at === '' ? '' : `${at}.`, name, known);
  }

  /** Ignores names with a leading underscore, which clients add to bypass caches: `_=1699999999`. */
  addQuery(rawQuery: string, declared: QueryParameters): void {
    const known = [...Object.keys(declared), ...commonParameters];
    const prefixes = Object.values(declared).flatMap(({ prefixed }) => prefixed?.prefix ?? []);
    for (const name of new Set(new URLSearchParams(rawQuery).keys())) {
      // dryRun is case-insensitive.
      const isKnown =
        known.includes(name) ||
        name.toLowerCase() === 'dryrun' ||
        prefixes.some((prefix) => name.startsWith(prefix) && name.length > prefix.length);
      if (!isKnown && name !== '' && !name.startsWith('_')) {
        this.#add('query parameter', '', name, known);
      }
    }
  }

  /** Returns a warning for each of the first names, and the number of further names. */
  listWarnings(): readonly string[] {
    const more = this.#seen.size - this.#reported.length;
    return [
      ...this.#reported.map(
        (each) =>
          `Unknown ${formatUnknownName(each)} was ignored.${each.nearest === undefined ? '' : ` Did you mean '${each.nearest}'?`}`,
      ),
      ...(more === 0
        ? []
        : [more === 1 ? '1 more unknown name was ignored.' : `${more} more unknown names were ignored.`]),
    ];
  }

  /** Returns the error for strict handling or strict addresses; undefined if all names are known. */
  findProblem({ isStrict }: { readonly isStrict: boolean }): Problem | undefined {
    const [first] = this.#reported;
    if (first === undefined) {
      return undefined;
    }
    const complaints = this.#reported.map((each) => ({
      field: each.name,
      message: `is unknown${formatHint(each, '; ', '')}`,
    }));
    const names = this.#reported.map((each) => `${formatUnknownName(each)}${formatHint(each, ' (', ')')}`);
    const more = this.#seen.size - names.length;
    return problem('names-unknown', { names, more, isStrict, complaints, field: first.name });
  }

  #add(what: UnknownName['what'], place: string, name: string, known: readonly string[]): void {
    const key = `${what} ${place}${name}`;
    if (this.#seen.has(key)) {
      return;
    }
    this.#seen.add(key);
    if (this.#reported.length < MAX_REPORTED) {
      this.#reported.push({ what, name: `${place}${excerpt(name)}`, nearest: findNearestName(name, known) });
    }
  }
}

function formatUnknownName({ what, name }: UnknownName): string {
  return `${what} '${name}'`;
}

function formatHint({ nearest }: UnknownName, before: string, after: string): string {
  return nearest === undefined ? '' : `${before}did you mean '${nearest}'?${after}`;
}
