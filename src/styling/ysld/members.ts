/** Reads the members of an object in a style, and reports those that nothing has read. */
import { readEcqlExpression, readEcqlFilter } from '../../filter/ecql/ecql.ts';
import type { Expression } from '../../filter/model/expression.ts';
import type { Constant, Filter } from '../../filter/model/filter.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import type { DocumentComplaints } from '../documents/document-complaints.ts';
import {
  type DocumentObject,
  type DocumentPath,
  type DocumentValue,
  isList,
  isObject,
} from '../documents/document-value.ts';
import { concatenate } from '../mbstyle/build-expression.ts';
import { parseCssColor } from '../mbstyle/colors.ts';
import type { Point, VendorOption } from '../model/paint.ts';

export class Members {
  readonly complaints: DocumentComplaints;
  readonly path: DocumentPath;
  readonly #members: DocumentObject;
  readonly #used = new Set<string>();

  constructor(complaints: DocumentComplaints, path: DocumentPath, members: DocumentObject) {
    this.complaints = complaints;
    this.path = path;
    this.#members = members;
  }

  has(name: string): boolean {
    return this.#members.has(name);
  }

  /** Whether a member with this prefix exists. */
  hasPrefix(prefix: string): boolean {
    return [...this.#members.keys()].some((name) => name.startsWith(prefix));
  }

  value(name: string): DocumentValue | undefined {
    this.#used.add(name);
    const value = this.#members.get(name);
    return value === null ? undefined : value;
  }

  pathOf(name: string): DocumentPath {
    return [...this.path, name];
  }

  object(name: string): Members | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (isObject(value)) return new Members(this.complaints, this.pathOf(name), value);
    this.complaints.add(this.pathOf(name), 'expected a mapping');
    return undefined;
  }

  /** The mappings of a list; a single mapping is a list of one. */
  objects(name: string): readonly Members[] {
    const value = this.value(name);
    if (value === undefined) return [];
    return (isList(value) ? value : [value]).flatMap((each, index) => {
      const path = isList(value) ? [...this.pathOf(name), index] : this.pathOf(name);
      if (isObject(each)) return [new Members(this.complaints, path, each)];
      this.complaints.add(path, 'expected a mapping');
      return [];
    });
  }

  word(name: string): string | undefined {
    const value = this.value(name);
    return value === undefined || typeof value === 'object' ? undefined : String(value);
  }

  /** A text, number or expression: `${…}` is ECQL, also inside a text. */
  expression(name: string): Expression | undefined {
    const value = this.value(name);
    return value === undefined ? undefined : this.#readExpression(value, this.pathOf(name));
  }

  color(name: string): Expression | undefined {
    const value = this.expression(name);
    if (value?.kind !== 'literal') return value;
    const parsed = parseCssColor(value.value) ?? parseCssColor(`#${value.value.replace(/^0x/i, '').padStart(6, '0')}`);
    if (parsed === undefined) this.complaints.add(this.pathOf(name), `'${value.value}' is not a colour`);
    return parsed && createLiteral(parsed.color);
  }

  /** Several expressions, in a list or separated by spaces. */
  expressions(name: string): readonly Expression[] | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const items = isList(value)
      ? value
      : typeof value === 'string' && !value.includes('${')
        ? value.trim().split(/[\s,]+/)
        : [value];
    return items.flatMap((each) => this.#readExpression(each, this.pathOf(name)) ?? []);
  }

  point(name: string): Point | undefined {
    const items = this.expressions(name);
    const [x, y] = items ?? [];
    if (items === undefined) return undefined;
    if (x !== undefined && y !== undefined && items.length === 2) return { x, y };
    this.complaints.add(this.pathOf(name), 'expected two numbers, such as [0.5, 0.5]');
    return undefined;
  }

  filter(name: string): Filter | Constant | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const text = String(value)
      .trim()
      .replace(/^\$\{([\s\S]*)\}$/, '$1');
    const outcome = readEcqlFilter(text);
    if (outcome.kind === 'read') return outcome.value;
    this.complaints.add(this.pathOf(name), outcome.complaint.message);
    return undefined;
  }

  /** `x-name: value`. */
  vendorOptions(): { readonly vendorOptions?: readonly VendorOption[] } {
    const options = [...this.#members.keys()]
      .filter((name) => name.startsWith('x-'))
      .flatMap((name): readonly VendorOption[] => {
        const value = this.expression(name);
        return value === undefined ? [] : [{ name: name.slice(2), value }];
      });
    return options.length === 0 ? {} : { vendorOptions: options };
  }

  reportUnused(): void {
    for (const name of this.#members.keys())
      if (!this.#used.has(name) && name !== '<<')
        this.complaints.warnUnlessStrict(this.pathOf(name), `unknown key '${name}'`);
  }

  #readExpression(value: DocumentValue, path: DocumentPath): Expression | undefined {
    if (value === null || typeof value === 'object') {
      this.complaints.add(path, 'expected a text, a number or an expression');
      return undefined;
    }
    const parts = String(value).split(/\$\{([^}]*)\}/);
    if (parts.length === 1) return createLiteral(String(value));
    const read = parts.map((part, index): Expression | undefined => {
      if (index % 2 === 0) return createLiteral(part);
      const outcome = readEcqlExpression(part);
      if (outcome.kind === 'read') return outcome.value;
      this.complaints.add(path, outcome.complaint.message);
      return undefined;
    });
    return read.every((each) => each !== undefined) ? concatenate(read) : undefined;
  }
}
