/**
 * Checks the structure of a document against the grammar of its version: the elements, their order and their number.
 * Unambiguous deviations are tolerated: the intended element then replaces the written one.
 */
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Complaints } from '../document/complaints.ts';
import { isStyleNamespace } from '../document/namespaces.ts';
import type { CompletedRules } from '../document/read-context.ts';
import type { SldVersion } from '../document/sld-version.ts';
import type { Attributes, Content, ElementContent, Grammar, Step } from './content.ts';
import { formatExpected, formatHint, quoteText } from './expected.ts';
import { getExpressionNames, getGrammar } from './grammars.ts';
import {
  belongsToOtherVersion,
  canOmit,
  findInOtherCase,
  findKnownName,
  findMissingParent,
  findSkippedReading,
  isComputing,
  isReadableExpression,
} from './lenient-names.ts';

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

const noAttributes: Attributes = {};

/** The replacements of elements that are not read as written: another element, or none. */
type ChildReplacements = Map<XmlElement, XmlElement | undefined>;

/** Returns the element to read, which is the same if nothing was tolerated. `known` rules were checked before. */
export function checkStructure(
  element: XmlElement,
  version: SldVersion,
  complaints: Complaints,
  known?: CompletedRules,
): XmlElement {
  return new StructureCheck(version, complaints, known).checkElement(element, undefined);
}

class StructureCheck {
  readonly #version: SldVersion;
  readonly #grammar: Grammar;
  readonly #expressions: ReadonlySet<string>;
  readonly #complaints: Complaints;
  readonly #known: CompletedRules | undefined;

  constructor(version: SldVersion, complaints: Complaints, known: CompletedRules | undefined) {
    this.#version = version;
    this.#grammar = getGrammar(version);
    this.#expressions = getExpressionNames(version);
    this.#complaints = complaints;
    this.#known = known;
  }

  /** The element is allowed at its position. Returns the element to read, usually the same one. */
  checkElement(element: XmlElement, inParent: Content | undefined): XmlElement {
    const content = inParent ?? this.#grammar.get(element.local);
    if (content === undefined || this.#known?.get(element) !== undefined) return element;
    switch (content.kind) {
      case 'elements':
        this.#checkAttributes(element, content.attributes ?? noAttributes);
        return this.#checkSteps(element, content);
      case 'text':
        this.#checkAttributes(element, content.attributes ?? noAttributes);
        return this.#checkMixed(element, content, isNever);
      case 'translated':
        this.#checkAttributes(element, noAttributes);
        return this.#checkMixed(element, content, isTranslation);
      case 'parameter':
        this.#checkAttributes(element, content.attributes ?? noAttributes);
        return this.#checkMixed(element, content, this.#isExpression);
      case 'keyword':
        this.#checkAttributes(element, noAttributes);
        return this.#checkMixed(element, content, (name) => content.names.includes(name));
      case 'any':
        this.#checkAttributes(element, content.attributes ?? noAttributes);
        return element;
    }
  }

  readonly #isExpression = (name: string): boolean => this.#expressions.has(name);

  /** Checks content that may contain text. */
  #checkMixed(element: XmlElement, content: Content, isAllowed: (name: string) => boolean): XmlElement {
    let mending: ChildReplacements | undefined;
    for (const child of element.children) {
      if (child.kind === 'text') continue;
      const meant =
        isStyleNamespace(child.uri) && isAllowed(child.local)
          ? child
          : (this.#correctCase(element, child, content) ?? this.#acceptOther(element, child, content));
      if (meant === undefined) {
        this.#complaints.warnUnlessStrict(
          child,
          () => `${quoteText(child.name)} has no effect in ${element.local}`,
          () => this.#formatUnexpected(element, child, content),
        );
        // In strict handling the value is incomplete, which is reported once.
        if (!this.#complaints.isStrict) mending = (mending ?? new Map()).set(child, undefined);
        continue;
      }
      const checked = this.checkElement(meant, undefined);
      if (checked !== child) mending = (mending ?? new Map()).set(child, checked);
    }
    return mending === undefined ? element : replaceChildren(element, mending);
  }

  #checkSteps(element: XmlElement, content: ElementContent): XmlElement {
    const { steps } = content;
    const index = getStepIndex(content);
    const counts = steps.map(() => 0);
    const seen: string[] = [];
    let reached = 0;
    let reachedName = '';
    let unknown = 0;
    let hasRepetitions = false;
    let mending: ChildReplacements | undefined;

    for (const child of element.children) {
      if (child.kind === 'text') {
        if (!isBlank(child.text)) this.#complainOfText(element, child.text, content);
        continue;
      }
      let meant = child;
      let position = isStyleNamespace(child.uri) ? index.get(child.local) : undefined;
      if (position === undefined && !isVendorOption(child, content)) {
        const understood =
          this.#correctCase(element, child, content) ??
          this.#wrapInMissingParent(element, child, content) ??
          this.#acceptOther(element, child, content);
        if (understood === undefined) {
          const isError = this.#complainOfUnknown(element, child, content);
          if (isError) unknown += 1;
          // In strict handling, errors inside it are reported too.
          if (!isError || !this.#complaints.isStrict) mending = (mending ?? new Map()).set(child, undefined);
          continue;
        }
        meant = understood;
        position = index.get(meant.local) ?? findExpressionStep(meant, content);
      }
      const { local } = meant;
      const step = position === undefined ? undefined : steps[position];
      if (position !== undefined && step !== undefined) {
        if (position < reached) {
          this.#complaints.warnUnlessStrict(child, `'${local}' must come before '${reachedName}' in ${element.local}`);
        } else {
          reached = position;
          reachedName = local;
        }
        if (this.#isRepetition(element, child, { local, step, count: counts[position] ?? 0, seen }))
          hasRepetitions = true;
        counts[position] = (counts[position] ?? 0) + 1;
      }
      const checked = this.checkElement(meant, content.inside?.[local]);
      if (checked !== child) mending = (mending ?? new Map()).set(child, checked);
    }
    this.#checkMissing(element, steps, { counts, seen, unknown });
    const whole = mending === undefined ? element : replaceChildren(element, mending);
    return hasRepetitions ? this.#removeRepetitions(whole, content) : whole;
  }

  /** Returns the element with the correct name if its own differs in case only. */
  #correctCase(parent: XmlElement, child: XmlElement, content: Content): XmlElement | undefined {
    if (!isStyleNamespace(child.uri)) return undefined;
    const name = findInOtherCase(child.local, content, this.#version);
    if (name === undefined || name === child.local) return undefined;
    this.#complaints.warnUnlessStrict(
      child,
      () => `${quoteText(child.name)} is read as '${name}'`,
      () => this.#formatUnexpected(parent, child, content),
    );
    return { ...child, local: name };
  }

  /** Wraps the element in its missing parent. */
  #wrapInMissingParent(parent: XmlElement, child: XmlElement, content: Content): XmlElement | undefined {
    const around = isStyleNamespace(child.uri) ? findMissingParent(child.local, parent.local) : undefined;
    if (around === undefined) return undefined;
    this.#complaints.warnUnlessStrict(child, `${quoteText(child.name)} is read as part of a ${around}`, () =>
      this.#formatUnexpected(parent, child, content),
    );
    return { ...child, name: around, local: around, attributes: [], children: [child] };
  }

  /**
   * Accepts an element of the other version, or of a newer filter, if the readers understand it. In strict handling it
   * is unknown.
   */
  #acceptOther(parent: XmlElement, child: XmlElement, content: Content): XmlElement | undefined {
    const isAccepted =
      !this.#complaints.isStrict &&
      isStyleNamespace(child.uri) &&
      (isReadableExpression(child.local, content) ||
        (belongsToOtherVersion(child.local, parent.local, this.#version) &&
          !canOmit(child.local, parent.local, content, this.#version)));
    if (!isAccepted) return undefined;
    this.#complaints.warnUnlessStrict(
      child,
      () => `${quoteText(child.name)} does not belong to SLD ${this.#version} here, but is read`,
    );
    return child;
  }

  /** Reports an element that exceeds its number. Returns true for a repetition, of which only one is read. */
  #isRepetition(element: XmlElement, child: XmlElement, { local, step, count, seen }: Occurrence): boolean {
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

  #removeRepetitions(element: XmlElement, content: ElementContent): XmlElement {
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
  #checkMissing(element: XmlElement, steps: readonly Step[], { counts, seen, unknown }: FoundChildren): void {
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

  #checkAttributes(element: XmlElement, allowed: Attributes): void {
    for (const { uri, name } of element.attributes) {
      if (uri === '' && !Object.hasOwn(allowed, name)) this.#complainOfAttribute(element, name, allowed);
    }
    for (const name in allowed) {
      if (allowed[name] === 'required' && !element.attributes.some((each) => each.uri === '' && each.name === name))
        this.#complaints.add(element, `the attribute '${name}' is missing on ${element.local}`);
    }
  }

  /**
   * Unknown attributes have no effect. Misspelt ones, and those of conditions, are errors, because an effect was
   * intended.
   */
  #complainOfAttribute(element: XmlElement, name: string, allowed: Attributes): void {
    const problem = `${element.local} has no attribute ${quoteText(name)}`;
    const isMisspelt = Object.keys(allowed).some((known) => known.toLowerCase() === name.toLowerCase());
    if (isMisspelt || isComputing(element.local)) {
      this.#complaints.add(element, problem + formatExpectedAttributes(allowed));
    } else {
      this.#complaints.warnUnlessStrict(
        element,
        `${problem}: it has no effect`,
        problem + formatExpectedAttributes(allowed),
      );
    }
  }

  /** Returns true for an error, false if the element can be omitted. */
  #complainOfUnknown(parent: XmlElement, child: XmlElement, content: Content): boolean {
    const problem = () => this.#formatUnexpected(parent, child, content);
    const isStyle = isStyleNamespace(child.uri);
    const skipped = isStyle ? findSkippedReading(child.local, parent.local) : undefined;
    if (skipped !== undefined) {
      this.#complaints.warnUnlessStrict(child, () => `${quoteText(child.name)} ${skipped}`, problem);
      return false;
    }
    const name = isStyle ? findKnownName(child.local) : undefined;
    if (name === undefined || !canOmit(name, parent.local, content, this.#version)) {
      this.#complaints.warnUnlessStrict(child, () => `${problem()}. It is ignored`, problem);
      return true;
    }
    this.#complaints.warnUnlessStrict(
      child,
      () => `${quoteText(child.name)} has no effect in ${parent.local}`,
      problem,
    );
    return false;
  }

  #formatUnexpected(parent: XmlElement, child: XmlElement, content: Content): string {
    const hint = isStyleNamespace(child.uri)
      ? formatHint(child.local, parent.local, content, this.#version)
      : `; its namespace ${quoteText(child.uri)} is not a style namespace`;
    return `${quoteText(child.name)} is not expected in ${parent.local}${hint}. Expected: ${formatExpected(content)}`;
  }

  /**
   * Text between elements is ignored. Text that is alone in an element or among arguments is an error, because it was
   * intended as a value.
   */
  #complainOfText(element: XmlElement, text: string, content: Content): void {
    const problem = () =>
      `the text ${quoteText(text)} is not expected in ${element.local}. Expected: ${formatExpected(content)}`;
    if (element.local === 'Function' || !element.children.some(({ kind }) => kind === 'element')) {
      this.#complaints.add(element, problem);
    } else {
      this.#complaints.warnUnlessStrict(
        element,
        () => `the text ${quoteText(text)} has no effect in ${element.local}`,
        problem,
      );
    }
  }
}

function isNever(): boolean {
  return false;
}

function isTranslation(name: string): boolean {
  return name === 'Localized';
}

function isVendorOption({ local, uri }: XmlElement, { vendorOptions }: ElementContent): boolean {
  return vendorOptions === true && local === 'VendorOption' && isStyleNamespace(uri);
}

/** Returns the step for an expression that the grammar of the version does not name. */
function findExpressionStep({ local }: XmlElement, content: ElementContent): number | undefined {
  if (!isReadableExpression(local, content)) return undefined;
  return content.steps.findIndex(({ names }) => names.includes('PropertyName'));
}

/** Returns the element with some of its children replaced or removed. */
function replaceChildren(element: XmlElement, mending: ChildReplacements): XmlElement {
  const children = element.children.flatMap((child) => {
    if (child.kind === 'text' || !mending.has(child)) return child;
    return mending.get(child) ?? [];
  });
  return { ...element, children };
}

function formatExpectedAttributes(allowed: Attributes): string {
  const names = Object.keys(allowed);
  return names.length === 0 ? '' : `. Expected: ${names.join(', ')}`;
}

function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x09 && code !== 0x0d) return false;
  }
  return true;
}

/** The step of each name. */
type StepIndex = ReadonlyMap<string, number>;

const stepIndexes = new WeakMap<ElementContent, StepIndex>();

function getStepIndex(content: ElementContent): StepIndex {
  const known = stepIndexes.get(content);
  if (known !== undefined) return known;
  const index = new Map<string, number>();
  for (const [position, { names }] of content.steps.entries()) for (const name of names) index.set(name, position);
  stepIndexes.set(content, index);
  return index;
}
