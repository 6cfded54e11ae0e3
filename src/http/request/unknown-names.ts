/** The fields and query parameters of a request that are none: told in warnings, or refused where a client is strict. */

import { type Problem, problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { findNearestName } from '../../lib/text/nearest-name.ts';
import type { QueryParameters } from './query.ts';

/** A document can hold a hundred thousand of them; nobody reads on after these. */
const MAX_REPORTED = 10;

/** Read on every route, whatever it declares. */
const commonParameters: readonly string[] = ['dryRun', 'quietOnNotFound'];

interface UnknownName {
  readonly what: 'field' | 'query parameter';
  /** With its place in the document: `workspace.nmae`. */
  readonly name: string;
  readonly nearest: string | undefined;
}

export class UnknownNames {
  readonly #reported: UnknownName[] = [];
  readonly #seen = new Set<string>();

  addField(at: string, name: string, known: readonly string[]): void {
    this.#add('field', at === '' ? '' : `${at}.`, name, known);
  }

  /** Names that begin with an underscore are for caches on the way, and mean nothing by intention: `_=1699999999`. */
  addQuery(rawQuery: string, declared: QueryParameters): void {
    const known = [...Object.keys(declared), ...commonParameters];
    for (const name of new Set(new URLSearchParams(rawQuery).keys())) {
      // Who writes dryRun in other letters is understood.
      const isKnown = known.includes(name) || name.toLowerCase() === 'dryrun';
      if (!isKnown && name !== '' && !name.startsWith('_')) {
        this.#add('query parameter', '', name, known);
      }
    }
  }

  /** A sentence for each of the first, and how many there are beside them. */
  listWarnings(): readonly string[] {
    const more = this.#seen.size - this.#reported.length;
    return [
      ...this.#reported.map(
        (each) =>
          `The ${formatUnknownName(each)} is not known here and was passed over${formatHint(each, '; ', '') || '.'}`,
      ),
      ...(more === 0 ? [] : [`And ${more} more names that are not known here.`]),
    ];
  }

  /** What is told where no name is passed over, since the client or the address wants it so; undefined when all are known. */
  findProblem({ isStrict }: { readonly isStrict: boolean }): Problem | undefined {
    const [first] = this.#reported;
    if (first === undefined) {
      return undefined;
    }
    const complaints = this.#reported.map((each) => ({
      field: each.name,
      message: `is not known here${formatHint(each, '; ', '')}`,
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
