/**
 * Checks the structure of a document against the grammar of its version: the elements, their order and their number.
 * Unambiguous deviations are tolerated: the intended element then replaces the written one.
 */
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Complaints } from '../document/complaints.ts';
import { isStyleNamespace } from '../document/namespaces.ts';
import type { CompletedRules } from '../document/read-context.ts';
import type { SldVersion } from '../document/sld-version.ts';
import { checkAttributes } from './check-attributes.ts';
import type { Attributes, Content, ElementContent, Grammar } from './content.ts';
import { type ChildReplacements, ElementNumbers, getStepIndex, replaceChildren } from './element-numbers.ts';
import { formatExpected, formatHint, quoteText } from './expected.ts';
import { getExpressionNames, getGrammar } from './grammars.ts';
import {
  belongsToOtherVersion,
  canOmit,
  findInOtherCase,
  findKnownName,
  findMissingParent,
  findSkippedReading,
  isReadableExpression,
} from './lenient-names.ts';

const noAttributes: Attributes = {};

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
  readonly #numbers: ElementNumbers;

  constructor(version: SldVersion, complaints: Complaints, known: CompletedRules | undefined) {
    this.#version = version;
    this.#grammar = getGrammar(version);
    this.#expressions = getExpressionNames(version);
    this.#complaints = complaints;
    this.#known = known;
    this.#numbers = new ElementNumbers(version, complaints);
  }

  /** The element is allowed at its position. Returns the element to read, usually the same one. */
  checkElement(element: XmlElement, inParent: Content | undefined): XmlElement {
    const content = inParent ?? this.#grammar.get(element.local);
    if (content === undefined || this.#known?.get(element) !== undefined) return element;
    switch (content.kind) {
      case 'elements':
        checkAttributes(element, content.attributes ?? noAttributes, this.#complaints);
        return this.#checkSteps(element, content);
      case 'text':
        checkAttributes(element, content.attributes ?? noAttributes, this.#complaints);
        return this.#checkMixed(element, content, isNever);
      case 'translated':
        checkAttributes(element, noAttributes, this.#complaints);
        return this.#checkMixed(element, content, isTranslation);
      case 'parameter':
        checkAttributes(element, content.attributes ?? noAttributes, this.#complaints);
        return this.#checkMixed(element, content, this.#isExpression);
      case 'keyword':
        checkAttributes(element, noAttributes, this.#complaints);
        return this.#checkMixed(element, content, (name) => content.names.includes(name));
      case 'any':
        checkAttributes(element, content.attributes ?? noAttributes, this.#complaints);
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
        if (this.#numbers.isRepetition(element, child, { local, step, count: counts[position] ?? 0, seen }))
          hasRepetitions = true;
        counts[position] = (counts[position] ?? 0) + 1;
      }
      const checked = this.checkElement(meant, content.inside?.[local]);
      if (checked !== child) mending = (mending ?? new Map()).set(child, checked);
    }
    this.#numbers.checkMissing(element, steps, { counts, seen, unknown });
    const whole = mending === undefined ? element : replaceChildren(element, mending);
    return hasRepetitions ? this.#numbers.removeRepetitions(whole, content) : whole;
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

function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x09 && code !== 0x0d) return false;
  }
  return true;
}
