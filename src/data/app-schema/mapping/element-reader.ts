/** Walks the elements of a mapping document and collects what is wrong with them, so that all of it is told at once. */

import { nearestName } from '../../../lib/nearest-name.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { type Complaints, shown } from '../complaints.ts';
import { APP_SCHEMA_NAMESPACE } from './mapping.ts';
import { PathMistake } from './target-path.ts';

const placeholder = /\$\{([^{}$]{1,200})\}/g;

export class ElementReader {
  readonly #file: string;
  readonly #complaints: Complaints;
  readonly #properties: ReadonlyMap<string, string>;

  constructor(file: string, complaints: Complaints, properties: ReadonlyMap<string, string>) {
    this.#file = file;
    this.#complaints = complaints;
    this.#properties = properties;
  }

  complain(line: number, message: string): void {
    this.#complaints.add(this.#file, line, message);
  }

  /** The child elements; others than the named ones, and text between them, are complained about. */
  children(element: XmlElement, names: readonly string[]): readonly XmlElement[] {
    const all = this.allChildren(element);
    for (const child of all) {
      if (names.includes(child.local) || this.#complaints.isFull()) continue;
      const nearest = nearestName(child.local, names);
      const hint = nearest === undefined ? `it may have ${names.join(', ')}` : `did you mean '${nearest}'?`;
      this.complain(
        child.line,
        `The element '${shown(child.name)}' is not known in '${element.local}'; ${hint}${hint.endsWith('?') ? '' : '.'}`,
      );
    }
    return all.filter(({ local }) => names.includes(local));
  }

  /** The child elements that have a name of mappings, whatever it is. */
  allChildren(element: XmlElement): readonly XmlElement[] {
    const found: XmlElement[] = [];
    for (const child of element.children) {
      if (child.kind === 'text') {
        if (child.text.trim() !== '') {
          // In the parameters of stores it may be a password.
          const text = /store|parameter/i.test(element.local) ? '' : `, '${shown(child.text)}',`;
          this.complain(element.line, `In '${element.local}' there is text${text} where elements belong.`);
        }
      } else if (child.uri === '' || child.uri === APP_SCHEMA_NAMESPACE) {
        found.push(child);
      } else {
        this.complain(
          child.line,
          `The element '${shown(child.name)}' in '${element.local}' is of the namespace '${shown(child.uri)}'; elements of mappings have none.`,
        );
      }
    }
    return found;
  }

  /** Its one child of that name; a second one is complained about. */
  child(children: readonly XmlElement[], name: string): XmlElement | undefined {
    const [first, second] = children.filter(({ local }) => local === name);
    if (second !== undefined) this.complain(second.line, `There is more than one '${name}'.`);
    return first;
  }

  /** Its text without spaces around it, with placeholders replaced. */
  text(element: XmlElement): string {
    return this.#replaced(this.rawText(element), element.line).trim();
  }

  /** As written, placeholders replaced; its lines are those of the document. */
  expressionText(element: XmlElement): string {
    return this.#replaced(this.rawText(element), element.line);
  }

  rawText(element: XmlElement): string {
    let text = '';
    for (const child of element.children) {
      if (child.kind === 'text') text += child.text;
      else
        this.complain(
          child.line,
          `In '${element.local}' text was expected, but there is the element '${shown(child.name)}'.`,
        );
    }
    return text;
  }

  textOf(children: readonly XmlElement[], name: string): string | undefined {
    const element = this.child(children, name);
    const text = element === undefined ? '' : this.text(element);
    return text === '' ? undefined : text;
  }

  requiredText(parent: XmlElement, children: readonly XmlElement[], name: string): string {
    const text = this.textOf(children, name);
    if (text === undefined) this.complain(parent.line, `'${parent.local}' must have '${name}', with text in it.`);
    return text ?? '';
  }

  flag(children: readonly XmlElement[], name: string, byDefault: boolean): boolean {
    const element = this.child(children, name);
    const text = element === undefined ? '' : this.text(element).toLowerCase();
    if (text === 'true' || text === 'false') return text === 'true';
    if (element !== undefined && text !== '') {
      this.complain(element.line, `'${name}' must be true or false, not '${shown(text)}'.`);
    }
    return byDefault;
  }

  /** Undefined, with a complaint, where a name or path cannot be read. */
  reading<T>(element: XmlElement, read: (text: string) => T): T | undefined {
    try {
      return read(this.text(element));
    } catch (error) {
      if (!(error instanceof PathMistake)) throw error;
      this.complain(element.line, `'${element.local}' cannot be read: ${error.message}.`);
      return undefined;
    }
  }

  /** One pass: what is put in is not looked at again. */
  #replaced(text: string, line: number): string {
    return text.replaceAll(placeholder, (written, name: string) => {
      const value = this.#properties.get(name.trim());
      if (value === undefined)
        this.complain(line, `There is no property '${shown(name)}' to put in the place of '${shown(written)}'.`);
      return value ?? written;
    });
  }
}
