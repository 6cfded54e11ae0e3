/** Traverses the elements of a mapping document and collects all errors. */

import { findNearestName } from '../../../lib/text/nearest-name.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { APP_SCHEMA_NAMESPACE } from '../../port/mapping.ts';
import { type DiagnosticList, formatExcerpt } from '../diagnostics.ts';
import { PathError } from './target-path.ts';

const placeholder = /\$\{([^{}$]{1,200})\}/g;

export interface ReaderContext {
  readonly complaints: DiagnosticList;
  /** About parts of the document that have no effect. */
  readonly warnings: DiagnosticList;
  /** Values for `${name}` placeholders. */
  readonly properties: ReadonlyMap<string, string>;
}

export class ElementReader {
  readonly #file: string;
  readonly #complaints: DiagnosticList;
  readonly #warnings: DiagnosticList;
  readonly #properties: ReadonlyMap<string, string>;

  constructor(file: string, { complaints, warnings, properties }: ReaderContext) {
    this.#file = file;
    this.#complaints = complaints;
    this.#warnings = warnings;
    this.#properties = properties;
  }

  addDiagnostic(line: number, message: string): void {
    this.#complaints.add(this.#file, line, message);
  }

  /** Returns the child elements. Misspelt ones are errors; others, such as extensions, produce a warning. */
  listChildren(element: XmlElement, names: readonly string[]): readonly XmlElement[] {
    const all = this.listAllChildren(element);
    for (const child of all) {
      if (names.includes(child.local) || this.#complaints.isFull()) continue;
      const nearest = findNearestName(child.local, names);
      const what = `nknown element '${formatExcerpt(child.name)}' in '${element.local}'`;
      if (nearest !== undefined) this.addDiagnostic(child.line, `U${what}; did you mean '${nearest}'?`);
      else this.#warnings.add(this.#file, child.line, `Ignored the u${what}.`);
    }
    return all.filter(({ local }) => names.includes(local));
  }

  /** Returns all child elements in the namespace of mappings. */
  listAllChildren(element: XmlElement): readonly XmlElement[] {
    const found: XmlElement[] = [];
    for (const child of element.children) {
      if (child.kind === 'text') {
        if (child.text.trim() !== '') {
          // Text in store parameters can be a password.
          const text = /store|parameter/i.test(element.local) ? '' : ` '${formatExcerpt(child.text)}'`;
          this.addDiagnostic(element.line, `Unexpected text${text} in '${element.local}'. Only elements are allowed.`);
        }
      } else if (child.uri === '' || child.uri === APP_SCHEMA_NAMESPACE) {
        found.push(child);
      } else {
        this.addDiagnostic(
          child.line,
          `The element '${formatExcerpt(child.name)}' in '${element.local}' has the namespace '${formatExcerpt(child.uri)}'. Mapping elements have no namespace.`,
        );
      }
    }
    return found;
  }

  /** Returns the child with that name; a duplicate is reported. */
  child(children: readonly XmlElement[], name: string): XmlElement | undefined {
    const [first, second] = children.filter(({ local }) => local === name);
    if (second !== undefined) this.addDiagnostic(second.line, `Duplicate element '${name}'.`);
    return first;
  }

  /** Returns the trimmed text with placeholders replaced. */
  text(element: XmlElement): string {
    return this.#replacePlaceholders(this.readRawText(element), element.line).trim();
  }

  /** Returns the untrimmed text with placeholders replaced, so that line numbers match the document. */
  readExpressionText(element: XmlElement): string {
    return this.#replacePlaceholders(this.readRawText(element), element.line);
  }

  readRawText(element: XmlElement): string {
    let text = '';
    for (const child of element.children) {
      if (child.kind === 'text') text += child.text;
      else
        this.addDiagnostic(
          child.line,
          `'${element.local}' must contain text, but contains the element '${formatExcerpt(child.name)}'.`,
        );
    }
    return text;
  }

  findText(children: readonly XmlElement[], name: string): string | undefined {
    const element = this.child(children, name);
    const text = element === undefined ? '' : this.text(element);
    return text === '' ? undefined : text;
  }

  readRequiredText(parent: XmlElement, children: readonly XmlElement[], name: string): string {
    const text = this.findText(children, name);
    if (text === undefined) this.addDiagnostic(parent.line, `'${parent.local}' requires a non-empty '${name}'.`);
    return text ?? '';
  }

  readFlag(children: readonly XmlElement[], name: string, byDefault: boolean): boolean {
    const element = this.child(children, name);
    const text = element === undefined ? '' : this.text(element).toLowerCase();
    if (text === 'true' || text === 'false') return text === 'true';
    if (element !== undefined && text !== '') {
      this.addDiagnostic(element.line, `'${name}' must be true or false, not '${formatExcerpt(text)}'.`);
    }
    return byDefault;
  }

  /** Returns undefined with a diagnostic if a name or path is invalid. */
  tryRead<T>(element: XmlElement, read: (text: string) => T): T | undefined {
    try {
      return read(this.text(element));
    } catch (error) {
      if (!(error instanceof PathError)) throw error;
      this.addDiagnostic(element.line, `'${element.local}' is invalid: ${error.message}.`);
      return undefined;
    }
  }

  /** A single pass: replaced text is not expanded again. */
  #replacePlaceholders(text: string, line: number): string {
    return text.replaceAll(placeholder, (written, name: string) => {
      const value = this.#properties.get(name.trim());
      if (value === undefined)
        this.addDiagnostic(
          line,
          `Unknown property '${formatExcerpt(name)}' in the placeholder '${formatExcerpt(written)}'.`,
        );
      return value ?? written;
    });
  }
}
