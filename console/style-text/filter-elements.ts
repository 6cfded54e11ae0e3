/** The filter of a rule in SLD as rows of a form. */
import { type FilterRow, type FilterRows, hasValue, noRows, type Operator } from './filter-rows.ts';
import { decodeXml, encodeXml, readAttribute, type XmlElement } from './xml-tree.ts';

const comparisons: Readonly<Record<string, Operator>> = {
  PropertyIsEqualTo: '=',
  PropertyIsNotEqualTo: '<>',
  PropertyIsLessThan: '<',
  PropertyIsLessThanOrEqualTo: '<=',
  PropertyIsGreaterThan: '>',
  PropertyIsGreaterThanOrEqualTo: '>=',
};
const names = new Map(Object.entries(comparisons).map(([name, operator]) => [operator, name]));

/** Returns undefined for filters beyond rows, which forms keep as they are. */
export function readFilterRows(text: string, rule: XmlElement): FilterRows | undefined {
  if (rule.children.some(({ name }) => name === 'ElseFilter')) return undefined;
  const filter = rule.children.find(({ name }) => name === 'Filter');
  if (filter === undefined) return noRows;
  const [only, ...others] = filter.children;
  // Comments would be lost, and texts that are marked as such are written by hand.
  if (only === undefined || others.length > 0 || text.slice(filter.from, filter.to).includes('<!')) return undefined;
  const isJoin = only.name === 'And' || only.name === 'Or';
  const rows = (isJoin ? only.children : [only]).map((each) => readRow(text, each));
  const known = rows.filter((row) => row !== undefined);
  if (known.length < rows.length || known.length === 0) return undefined;
  return { join: only.name === 'Or' ? 'OR' : 'AND', rows: known };
}

function readRow(text: string, element: XmlElement): FilterRow | undefined {
  const [one, other, ...more] = element.children;
  const attribute = one && readName(text, one);
  if (one === undefined || attribute === undefined) {
    const isNotNull = element.name === 'Not' && one?.name === 'PropertyIsNull' && other === undefined;
    const row = isNotNull ? readRow(text, one) : undefined;
    return row && { ...row, operator: 'IS NOT NULL' };
  }
  if (element.name === 'PropertyIsNull' && other === undefined) {
    return { attribute, operator: 'IS NULL', value: '', isText: false };
  }
  if (other === undefined || more.length > 0 || other.name !== 'Literal' || other.children.length > 0) return undefined;
  const value = decodeXml(text.slice(other.content.from, other.content.to)).trim();
  const operator = comparisons[element.name];
  if (operator !== undefined) {
    return hasAttributes(text, element) ? undefined : { attribute, operator, value, isText: false };
  }
  const isLike =
    element.name === 'PropertyIsLike' &&
    readAttribute(text, element, 'wildCard') === '%' &&
    readAttribute(text, element, 'singleChar') === '_' &&
    readAttribute(text, element, 'matchCase') === undefined;
  return isLike ? { attribute, operator: 'LIKE', value, isText: true } : undefined;
}

function hasAttributes(text: string, { open, prefix, name }: XmlElement): boolean {
  return text.slice(open.from + 1 + prefix.length + name.length, open.to - 1).trim() !== '';
}

/** Paths and namespaces of properties are written by hand. */
function readName(text: string, { name, children, content }: XmlElement): string | undefined {
  if ((name !== 'PropertyName' && name !== 'ValueReference') || children.length > 0) return undefined;
  const value = decodeXml(text.slice(content.from, content.to)).trim();
  return value === '' || /[/:[\]]/.test(value) ? undefined : value;
}

interface FilterStyle {
  readonly prefix: string;
  readonly indent: string;
  readonly isOneLine: boolean;
  /** Version 1.1.0 of filters has another attribute for the escape character. */
  readonly isNew: boolean;
}

export function writeFilter({ join, rows }: FilterRows, style: FilterStyle): string {
  const { prefix, indent, isOneLine } = style;
  const line = (depth: number) => (isOneLine ? '' : `\n${indent}${'  '.repeat(depth)}`);
  if (rows.length === 1) {
    return `<${prefix}Filter>${rows.map((row) => `${line(1)}${writeRow(row, style)}`).join('')}${line(0)}</${prefix}Filter>`;
  }
  const tag = `${prefix}${join === 'OR' ? 'Or' : 'And'}`;
  const inner = rows.map((row) => `${line(2)}${writeRow(row, style)}`).join('');
  return `<${prefix}Filter>${line(1)}<${tag}>${inner}${line(1)}</${tag}>${line(0)}</${prefix}Filter>`;
}

function writeRow({ attribute, operator, value }: FilterRow, { prefix, isNew }: FilterStyle): string {
  const name = `<${prefix}PropertyName>${encodeXml(attribute)}</${prefix}PropertyName>`;
  if (!hasValue(operator)) {
    const isNull = `<${prefix}PropertyIsNull>${name}</${prefix}PropertyIsNull>`;
    return operator === 'IS NULL' ? isNull : `<${prefix}Not>${isNull}</${prefix}Not>`;
  }
  const literal = `<${prefix}Literal>${encodeXml(value)}</${prefix}Literal>`;
  if (operator === 'LIKE') {
    const wildcards = ` wildCard="%" singleChar="_" ${isNew ? 'escapeChar' : 'escape'}="\\"`;
    return `<${prefix}PropertyIsLike${wildcards}>${name}${literal}</${prefix}PropertyIsLike>`;
  }
  const tag = `${prefix}${names.get(operator) ?? 'PropertyIsEqualTo'}`;
  return `<${tag}>${name}${literal}</${tag}>`;
}
