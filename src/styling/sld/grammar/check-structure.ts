/** Checks the structure of a document against the grammar of its version: which elements, where, how often. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Complaints } from '../complaints.ts';
import { isStyleNamespace } from '../namespaces.ts';
import type { SldVersion } from '../sld-version.ts';
import type { Attributes, Content, ElementContent, Grammar, Step } from './content.ts';
import { expectedIn, hintFor, quoted } from './expected.ts';
import { expressionsOf, grammarOf } from './grammars.ts';

/** What was found in an element: how much of each step, which names that come once, and how much that is unknown. */
interface Found {
  readonly counts: readonly number[];
  readonly seen: readonly string[];
  readonly unknown: number;
}

const noAttributes: Attributes = {};

export function checkStructure(root: XmlElement, version: SldVersion, complaints: Complaints): void {
  new StructureCheck(version, complaints).checkElement(root, undefined);
}

class StructureCheck {
  readonly #version: SldVersion;
  readonly #grammar: Grammar;
  readonly #expressions: ReadonlySet<string>;
  readonly #complaints: Complaints;

  constructor(version: SldVersion, complaints: Complaints) {
    this.#version = version;
    this.#grammar = grammarOf(version);
    this.#expressions = expressionsOf(version);
    this.#complaints = complaints;
  }

  /** The element is known to be allowed where it stands. */
  checkElement(element: XmlElement, inParent: Content | undefined): void {
    const content = inParent ?? this.#grammar.get(element.local);
    if (content === undefined) return;
    switch (content.kind) {
      case 'elements':
        this.#checkAttributes(element, content.attributes ?? noAttributes);
        this.#checkSteps(element, content);
        break;
      case 'text':
        this.#checkAttributes(element, content.attributes ?? noAttributes);
        this.#checkMixed(element, content, () => false);
        break;
      case 'translated':
        this.#checkAttributes(element, noAttributes);
        this.#checkMixed(element, content, (name) => name === 'Localized');
        break;
      case 'parameter':
        this.#checkAttributes(element, content.attributes ?? noAttributes);
        this.#checkMixed(element, content, (name) => this.#expressions.has(name));
        break;
      case 'keyword':
        this.#checkAttributes(element, noAttributes);
        this.#checkMixed(element, content, (name) => content.names.includes(name));
        break;
      case 'any':
        this.#checkAttributes(element, content.attributes ?? noAttributes);
        break;
    }
  }

  /** Content in which text is welcome. */
  #checkMixed(element: XmlElement, content: Content, isAllowed: (name: string) => boolean): void {
    for (const child of element.children) {
      if (child.kind === 'text') continue;
      if (isStyleNamespace(child.uri) && isAllowed(child.local)) this.checkElement(child, undefined);
      else this.#complainOfUnknown(element, child, content);
    }
  }

  #checkSteps(element: XmlElement, content: ElementContent): void {
    const { steps } = content;
    const index = stepIndexOf(content);
    const counts = steps.map(() => 0);
    const seen: string[] = [];
    let reached = 0;
    let reachedName = '';
    let unknown = 0;

    for (const child of element.children) {
      if (child.kind === 'text') {
        if (!isBlank(child.text)) this.#complainOfText(element, child.text, content);
        continue;
      }
      const { local } = child;
      if (content.vendorOptions && local === 'VendorOption' && isStyleNamespace(child.uri)) {
        this.checkElement(child, undefined);
        continue;
      }
      const position = isStyleNamespace(child.uri) ? index.get(local) : undefined;
      const step = position === undefined ? undefined : steps[position];
      if (position === undefined || step === undefined) {
        this.#complainOfUnknown(element, child, content);
        unknown += 1;
        continue;
      }
      if (position < reached) {
        this.#complaints.add(child, `'${local}' must stand before '${reachedName}' in ${element.local}`);
      } else {
        reached = position;
        reachedName = local;
      }
      this.#checkCount(element, child, step, counts[position] ?? 0, seen);
      counts[position] = (counts[position] ?? 0) + 1;
      this.checkElement(child, content.inside?.[local]);
    }
    this.#checkMissing(element, steps, { counts, seen, unknown });
  }

  #checkCount(element: XmlElement, child: XmlElement, step: Step, count: number, seen: string[]): void {
    const { local } = child;
    const isRepeated = step.repeated === true || step.repeated?.includes(local);
    if (!isRepeated) {
      if (seen.includes(local)) {
        this.#complaints.add(child, `'${local}' is given twice in ${element.local}, where one was expected`);
        return;
      }
      seen.push(local);
      if (step.choice && count > 0) {
        const other = seen.find((name) => name !== local && step.names.includes(name));
        this.#complaints.add(child, `'${local}' cannot stand beside '${other}' in ${element.local}`);
        return;
      }
    }
    if (step.atMost !== undefined && count === step.atMost) {
      const were = step.atMost === 1 ? 'was' : 'were';
      this.#complaints.add(
        child,
        `'${local}' is one too many in ${element.local}, where ${step.atMost} ${were} expected`,
      );
    }
  }

  /** Where one of many names was expected, an unknown element was meant to be it, and was complained about. */
  #checkMissing(element: XmlElement, steps: readonly Step[], { counts, seen, unknown }: Found): void {
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
            : `${element.local} holds ${count} of ${step.atLeast} ${called}`;
        this.#complaints.add(element, message);
      }
    }
  }

  #checkAttributes(element: XmlElement, allowed: Attributes): void {
    for (const { uri, name } of element.attributes) {
      if (uri === '' && !Object.hasOwn(allowed, name))
        this.#complaints.add(
          element,
          `${element.local} has no attribute ${quoted(name)}${expectedAttributes(allowed)}`,
        );
    }
    for (const name in allowed) {
      if (allowed[name] === 'required' && !element.attributes.some((each) => each.uri === '' && each.name === name))
        this.#complaints.add(element, `the attribute '${name}' is missing on ${element.local}`);
    }
  }

  #complainOfUnknown(parent: XmlElement, child: XmlElement, content: Content): void {
    this.#complaints.add(child, () => {
      const hint = isStyleNamespace(child.uri)
        ? hintFor(child.local, parent.local, content, this.#version)
        : `; its namespace is ${quoted(child.uri)}, which is none of styles`;
      return `${quoted(child.name)} is not expected in ${parent.local}${hint}. Expected: ${expectedIn(content)}`;
    });
  }

  #complainOfText(element: XmlElement, text: string, content: Content): void {
    this.#complaints.add(
      element,
      `the text ${quoted(text)} is not expected in ${element.local}. Expected: ${expectedIn(content)}`,
    );
  }
}

function expectedAttributes(allowed: Attributes): string {
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

/** Which step each name belongs to. */
type StepIndex = ReadonlyMap<string, number>;

const stepIndexes = new WeakMap<ElementContent, StepIndex>();

function stepIndexOf(content: ElementContent): StepIndex {
  const known = stepIndexes.get(content);
  if (known !== undefined) return known;
  const index = new Map<string, number>();
  for (const [position, { names }] of content.steps.entries()) for (const name of names) index.set(name, position);
  stepIndexes.set(content, index);
  return index;
}
