/** Reads the source of one target property. */

import type { Expression } from '../../../filter/model/expression.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import type {
  AttributeMapping,
  AttributeSource,
  ClientProperty,
  IdSource,
  MultipleValue,
  QualifiedName,
} from '../../port/mapping.ts';
import { formatExcerpt } from '../diagnostics.ts';
import type { ElementReader } from './element-reader.ts';
import { readMappingExpression } from './expressions.ts';
import { readQualifiedName, readTargetPath } from './target-path.ts';

type Namespaces = ReadonlyMap<string, string>;

const parts = [
  'targetAttribute',
  'targetAttributeNode',
  'idExpression',
  'sourceExpression',
  'isMultiple',
  'isList',
  'encodeIfEmpty',
  'label',
  'parentLabel',
  'targetQueryString',
  'instancePath',
  'ClientProperty',
  'anonymousAttribute',
  'jdbcMultipleValue',
];

export function readAttributeMapping(
  reader: ElementReader,
  element: XmlElement,
  namespaces: Namespaces,
): AttributeMapping {
  const children = reader.listChildren(element, parts);
  const label = reader.findText(children, 'label');
  const parentLabel = reader.findText(children, 'parentLabel');
  const targetQuery = reader.findText(children, 'targetQueryString');
  const instancePath = reader.findText(children, 'instancePath');
  const targetElement = reader.child(children, 'targetAttribute');
  if (targetElement === undefined && label === undefined && parentLabel === undefined && instancePath === undefined) {
    reader.addDiagnostic(element.line, "'AttributeMapping' requires a non-empty 'targetAttribute'.");
  }
  const target = targetElement && reader.tryRead(targetElement, (text) => readTargetPath(text, namespaces));
  const nodeElement = reader.child(children, 'targetAttributeNode');
  const targetNode = nodeElement && reader.tryRead(nodeElement, (text) => readQualifiedName(text, namespaces));
  const id = readId(reader, reader.child(children, 'idExpression'));
  const source = readSource(reader, reader.child(children, 'sourceExpression'), namespaces);
  const multiple = reader.child(children, 'jdbcMultipleValue');
  const multipleValue = multiple && readMultipleValue(reader, multiple);
  const findChildren = (name: string): readonly XmlElement[] => children.filter(({ local }) => local === name);
  return {
    ...(target === undefined ? {} : { target }),
    ...(targetNode === undefined ? {} : { targetNode }),
    ...(id === undefined ? {} : { id }),
    ...(source === undefined ? {} : { source }),
    isMultiple: reader.readFlag(children, 'isMultiple', false),
    isList: reader.readFlag(children, 'isList', false),
    encodeIfEmpty: reader.readFlag(children, 'encodeIfEmpty', false),
    ...(label === undefined ? {} : { label }),
    ...(parentLabel === undefined ? {} : { parentLabel }),
    ...(targetQuery === undefined ? {} : { targetQuery }),
    ...(instancePath === undefined ? {} : { instancePath }),
    clientProperties: findChildren('ClientProperty').flatMap(
      (each) => readClientProperty(reader, each, namespaces) ?? [],
    ),
    anonymousAttributes: findChildren('anonymousAttribute').flatMap(
      (each) => readClientProperty(reader, each, namespaces) ?? [],
    ),
    ...(multipleValue === undefined ? {} : { multipleValue }),
    line: element.line,
  };
}

/** Returns undefined with a diagnostic if the expression is invalid. */
function readExpression(reader: ElementReader, element: XmlElement): Expression | undefined {
  const outcome = readMappingExpression(reader.readExpressionText(element));
  if (outcome.kind === 'read') return outcome.expression;
  const what = element.local === 'OCQL' ? 'The expression' : `'${element.local}'`;
  reader.addDiagnostic(element.line + outcome.line, `${what} is invalid: ${outcome.message}.`);
  return undefined;
}

function readId(reader: ElementReader, element: XmlElement | undefined): IdSource | undefined {
  if (element === undefined) return undefined;
  const children = reader.listChildren(element, ['OCQL', 'inputAttribute']);
  const path = reader.findText(children, 'inputAttribute');
  if (path !== undefined) return { kind: 'path', path };
  const ocql = reader.child(children, 'OCQL');
  if (ocql === undefined) reader.addDiagnostic(element.line, "'idExpression' requires 'OCQL' or 'inputAttribute'.");
  const expression = ocql && readExpression(reader, ocql);
  return expression && { kind: 'expression', expression };
}

function readSource(
  reader: ElementReader,
  element: XmlElement | undefined,
  namespaces: Namespaces,
): AttributeSource | undefined {
  if (element === undefined) return undefined;
  const children = reader.listChildren(element, ['OCQL', 'index', 'inputAttribute', 'linkElement', 'linkField']);
  const ocql = reader.child(children, 'OCQL');
  const expression = ocql && readExpression(reader, ocql);
  const link = reader.child(children, 'linkElement');
  const fieldElement = reader.child(children, 'linkField');
  const path = reader.findText(children, 'inputAttribute');
  const index = readIndex(reader, reader.child(children, 'index'));
  if (link !== undefined) {
    const type = readLinkedType(reader, link, namespaces);
    const field = fieldElement && reader.tryRead(fieldElement, (text) => readTargetPath(text, namespaces));
    if (type === undefined) return undefined;
    return {
      kind: 'link',
      ...(expression === undefined ? {} : { expression }),
      type,
      ...(field === undefined ? {} : { field }),
    };
  }
  if (fieldElement !== undefined) reader.addDiagnostic(fieldElement.line, "'linkField' requires a 'linkElement'.");
  if (path !== undefined) return { kind: 'path', path };
  // Some mappings use an empty sourceExpression for a property that has only XML attributes.
  if (expression === undefined) return undefined;
  return { kind: 'expression', expression, ...(index === undefined ? {} : { index }) };
}

function readIndex(reader: ElementReader, element: XmlElement | undefined): number | 'last' | undefined {
  const text = element === undefined ? '' : reader.text(element);
  if (element === undefined || text === '') return undefined;
  if (text.toUpperCase() === 'LAST') return 'last';
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  reader.addDiagnostic(element.line, `'index' must be a positive number or LAST, not '${formatExcerpt(text)}'.`);
  return undefined;
}

/** A name is taken literally; anything else is an expression that returns a name. */
function readLinkedType(
  reader: ElementReader,
  element: XmlElement,
  namespaces: Namespaces,
): QualifiedName | Expression | undefined {
  const expression = readExpression(reader, element);
  const name =
    expression?.kind === 'property' ? expression.name : expression?.kind === 'literal' ? expression.value : undefined;
  if (name === undefined) return expression;
  return reader.tryRead(element, () => readQualifiedName(name, namespaces));
}

function readClientProperty(
  reader: ElementReader,
  element: XmlElement,
  namespaces: Namespaces,
): ClientProperty | undefined {
  const children = reader.listChildren(element, ['name', 'value']);
  const nameElement = reader.child(children, 'name');
  const valueElement = reader.child(children, 'value');
  if (nameElement === undefined || valueElement === undefined) {
    reader.addDiagnostic(element.line, `'${element.local}' requires 'name' and 'value'.`);
    return undefined;
  }
  const name = reader.tryRead(nameElement, (text) => readQualifiedName(text, namespaces));
  const value = readExpression(reader, valueElement);
  return name === undefined || value === undefined ? undefined : { name, value };
}

function readMultipleValue(reader: ElementReader, element: XmlElement): MultipleValue | undefined {
  const children = reader.listChildren(element, ['sourceColumn', 'targetTable', 'targetColumn', 'targetValue']);
  const sourceColumn = reader.readRequiredText(element, children, 'sourceColumn');
  const targetTable = reader.readRequiredText(element, children, 'targetTable');
  const targetColumn = reader.readRequiredText(element, children, 'targetColumn');
  const valueElement = reader.child(children, 'targetValue');
  if (valueElement === undefined)
    reader.addDiagnostic(element.line, `'${element.local}' requires a non-empty 'targetValue'.`);
  const value = valueElement && readExpression(reader, valueElement);
  return value && { sourceColumn, targetTable, targetColumn, value };
}
