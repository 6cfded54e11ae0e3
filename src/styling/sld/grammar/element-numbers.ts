/** Checks how often elements occur: repeated, missing and superfluous ones. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Complaints } from '../document/complaints.ts';
import type { SldVersion } from '../document/sld-version.ts';
import type { ElementContent, Step } from './content.ts';
import { isComputing } from './lenient-names.ts';

/**
 * The children found in an element: the number for each step, the names that are allowed once, and the number of
 * unknown ones.
 */
interface FoundChildren {
  readonly counts: readonly number[];
  readonly seen: readonly string[];
  readonly unknown: number;
}

/** A child of a step, with the children of its parent that were found before it. */
interface Occurrence {
  readonly local: string;
  readonly step: Step;
  /** The number of earlier children of the same step. */
  readonly count: number;
  readonly seen: string[];
}

/** The replacements of elements that are not read as written: another element, or none. */
export type ChildReplacements = Map<XmlElement, XmlElement | undefined>;

export class ElementNumbers {
  readonly #version: SldVersion;
  readonly #complaints: Complaints;

  constructor(version: SldVersion, complaints: Complaints) {
    this.#version = version;
    this.#complaints = complaints;
  }

  /** Reports an element that exceeds its number. Returns true for a repetition, of which only one is read. */
  isRepetition(element: XmlElement, child: XmlElement, { local, step, count, seen }: Occurrence): boolean {
    const isRepeated = step.repeated === true || step.repeated?.includes(local);
    if (!isRepeated) {
      if (seen.includes(local)) {
        const problem = `'${local}' is repeated in ${element.local}, but only one is allowed`;
        if (isComputing(element.local)) this.#complaints.add(child, problem);
        else
          this.#complaints.warnUnlessStrict(
            child,
            `${problem}: the ${this.#selectCounting(local)} one is used`,
            problem,
          );
        return true;
      }
      seen.push(local);
      if (step.choice && count > 0) {
        const other = seen.find((name) => name !== local && step.names.includes(name));
        this.#complaints.add(child, `'${local}' cannot be combined with '${other}' in ${element.local}`);
        return false;
      }
    }
    if (step.atMost !== undefined && count === step.atMost) {
      const elements = step.atMost === 1 ? 'element' : 'elements';
      this.#complaints.add(child, `'${local}' exceeds the limit of ${step.atMost} ${elements} in ${element.local}`);
    }
    return false;
  }

  /**
   * Selects the repetition that counts: readers of version 1.0.0 overwrite earlier elements, so the last one wins;
   * readers of 1.1.0 look up the first. A further font is a fallback for the previous one.
   */
  #selectCounting(local: string): 'first' | 'last' {
    return this.#version === '1.0.0' && local !== 'Font' ? 'last' : 'first';
  }

  removeRepetitions(element: XmlElement, content: ElementContent): XmlElement {
    const index = getStepIndex(content);
    const counting = new Map<string, XmlElement>();
    const superfluous: ChildReplacements = new Map();
    for (const child of element.children) {
      if (child.kind === 'text') continue;
      const { local } = child;
      const step = content.steps[index.get(local) ?? -1];
      if (step === undefined || step.repeated === true || step.repeated?.includes(local)) continue;
      const before = counting.get(local);
      if (before !== undefined && this.#selectCounting(local) === 'first') {
        superfluous.set(child, undefined);
        continue;
      }
      if (before !== undefined) superfluous.set(before, undefined);
      counting.set(local, child);
    }
    return replaceChildren(element, superfluous);
  }

  /** An unknown element was probably intended as the missing one, and is reported already. */
  checkMissing(element: XmlElement, steps: readonly Step[], { counts, seen, unknown }: FoundChildren): void {
    for (let position = 0; position < steps.length; position += 1) {
      const step = steps[position];
      const count = counts[position] ?? 0;
      for (const name of step?.required ?? [])
        if (!seen.includes(name)) this.#complaints.add(element, `'${name}' is missing in ${element.local}`);
      if (step?.atLeast === undefined || count >= step.atLeast) continue;
      const { called, names } = step;
      if (called === undefined) {
        const expected = names.map((name) => `'${name}'`).join(' or ');
        this.#complaints.add(element, `${expected} is missing in ${element.local}`);
      } else if (count + unknown < step.atLeast) {
        const message =
          step.atLeast === 1
            ? `${called} is missing in ${element.local}`
            : `${element.local} requires ${step.atLeast} ${called}, but has ${count}`;
        this.#complaints.add(element, message);
      }
    }
  }
}

/** Returns the element with some of its children replaced or removed. */
export function replaceChildren(element: XmlElement, mending: ChildReplacements): XmlElement {
  const children = element.children.flatMap((child) => {
    if (child.kind === 'text' || !mending.has(child)) return child;
    return mending.get(child) ?? [];
  });
  return { ...element, children };
}

/** The step of each name. */
type StepIndex = ReadonlyMap<string, number>;

const stepIndexes = new WeakMap<ElementContent, StepIndex>();

export function getStepIndex(content: ElementContent): StepIndex {
  const known = stepIndexes.get(content);
  if (known !== undefined) return known;
  const index = new Map<string, number>();
  for (const [position, { names }] of content.steps.entries()) for (const name of names) index.set(name, position);
  stepIndexes.set(content, index);
  return index;
}
