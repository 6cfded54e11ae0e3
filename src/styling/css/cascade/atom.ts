/** Single conditions, and the implications between them. */
import type { Filter } from '../../../filter/model/filter.ts';
import { areDisjointDomains, type Domain, findDomain, isWithin } from './domain.ts';

export interface Atom {
  readonly filter: Filter;
  /** Equal for equal conditions. */
  readonly id: number;
  /** Equal for conditions on the same attribute; 0 if the condition is not on an attribute. */
  readonly attribute: number;
  readonly domain?: Domain | undefined;
  /** The number of its only value, as in most classes of thematic maps; 0 if it has several or none. */
  readonly onlyValue: number;
  /** The number of the condition; its negation has it as `denies`. */
  readonly says: number;
  /** The number of the condition it negates; 0 if it is not a negation. */
  readonly denies: number;
}

/** Creates atoms. Numbers are comparable within one factory. */
export class AtomFactory {
  readonly #atoms = new Map<string, Atom>();
  readonly #numbers = new Map<string, number>();

  getAtom(filter: Filter): Atom {
    const key = JSON.stringify(filter);
    const known = this.#atoms.get(key);
    if (known !== undefined) return known;
    const found = findDomain(filter);
    const domain = found?.domain;
    const [only, ...more] = domain?.kind === 'values' ? domain.values : [];
    const atom: Atom = {
      filter,
      id: this.#atoms.size,
      attribute: found === undefined ? 0 : this.#getNumber(`attribute ${found.attribute}`),
      domain,
      onlyValue: only === undefined || more.length > 0 ? 0 : this.#getNumber(`value ${only}`),
      says: this.#getNumber(key),
      denies: filter.kind === 'not' ? this.#getNumber(JSON.stringify(filter.filter)) : 0,
    };
    this.#atoms.set(key, atom);
    return atom;
  }

  #getNumber(key: string): number {
    const number = this.#numbers.get(key) ?? this.#numbers.size + 1;
    this.#numbers.set(key, number);
    return number;
  }
}

/** Returns whether every feature that matches the first atom matches the second; false if undecidable. */
export function implies(one: Atom, other: Atom): boolean {
  if (one.id === other.id) return true;
  if (one.attribute === 0 || one.attribute !== other.attribute) return false;
  if (one.onlyValue !== 0 && other.onlyValue !== 0) return one.onlyValue === other.onlyValue;
  return one.domain !== undefined && other.domain !== undefined && isWithin(one.domain, other.domain);
}

/** Returns whether no feature matches both atoms; false if undecidable. */
export function excludes(one: Atom, other: Atom): boolean {
  if (one.attribute !== 0 && one.attribute === other.attribute) {
    if (one.onlyValue !== 0 && other.onlyValue !== 0) return one.onlyValue !== other.onlyValue;
    if (one.domain !== undefined && other.domain !== undefined && areDisjointDomains(one.domain, other.domain))
      return true;
  }
  return (one.denies !== 0 && one.denies === other.says) || (other.denies !== 0 && other.denies === one.says);
}
