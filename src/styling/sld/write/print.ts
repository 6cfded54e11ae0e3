/** Prints an XML tree, indented where white space is insignificant. */
import { escapeAttribute, escapeText } from '../../../lib/xml/escape.ts';
import type { OutputElement, OutputNode } from './output.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

export function printXml(root: OutputElement): string {
  const parts: string[] = [declaration];
  printBlock(parts, root, '');
  return parts.join('');
}

function printBlock(parts: string[], element: OutputElement, indent: string): void {
  if (element.isMixed || element.children.length === 0) {
    parts.push(indent);
    printInline(parts, element);
    parts.push('\n');
    return;
  }
  parts.push(indent, '<', element.name, formatAttributes(element), '>\n');
  for (const child of element.children) {
    if (isElement(child)) printBlock(parts, child, `${indent}  `);
    else parts.push(indent, '  ', printText(child), '\n');
  }
  parts.push(indent, '</', element.name, '>\n');
}

function printInline(parts: string[], element: OutputElement): void {
  parts.push('<', element.name, formatAttributes(element));
  if (element.children.length === 0) {
    parts.push('/>');
    return;
  }
  parts.push('>');
  for (const child of element.children) {
    if (isElement(child)) printInline(parts, child);
    else parts.push(printText(child));
  }
  parts.push('</', element.name, '>');
}

function formatAttributes({ attributes }: OutputElement): string {
  return attributes.map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join('');
}

function printText(text: Exclude<OutputNode, OutputElement>): string {
  if (typeof text === 'string') return escapeText(text);
  // Readers convert a carriage return to a line feed even in CDATA, so it is written outside, as a reference.
  return text.cdata
    .split(/(\r)/)
    .map((part) => (part === '\r' ? '&#13;' : part === '' ? '' : formatCdata(part)))
    .join('');
}

function formatCdata(text: string): string {
  return `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

function isElement(node: OutputNode): node is OutputElement {
  return typeof node === 'object' && 'name' in node;
}
