/** Writes classes as a list of rules or as a complete style, in XML and in JSON. */
import type { Rule, StyledLayerDescriptor } from '../model/styled-layer-descriptor.ts';
import { writeDescriptor } from '../sld/write/layer.ts';
import { createElement, type OutputElement, type OutputNode } from '../sld/write/output.ts';
import { printXml } from '../sld/write/print.ts';
import { writeRule } from '../sld/write/style.ts';
import { SldWriteContext } from '../sld/write/write-context.ts';

/** Builds a `Rules` document, which has no namespaces. */
export function buildRules(rules: readonly Rule[]): OutputElement {
  const writing = new SldWriteContext('1.0.0');
  return createElement(
    'Rules',
    rules.map((rule) => removePrefixes(writeRule(writing, rule))),
  );
}

export function buildStyle(model: StyledLayerDescriptor): OutputElement {
  return writeDescriptor(new SldWriteContext('1.0.0'), model);
}

export function formatXml(root: OutputElement): string {
  return printXml(root);
}

/** Attributes begin with `@`, the text beside them is `$`, repeated elements are lists, and numbers are numbers. */
export function formatJson(root: OutputElement): string {
  return JSON.stringify({ [getLocalName(root)]: toJson(root) });
}

function toJson({ attributes, children }: OutputElement): unknown {
  const elements = children.filter(isElement);
  const named = Object.fromEntries(
    attributes.filter(([name]) => !name.startsWith('xmlns')).map(([name, value]) => [`@${name}`, value]),
  );
  if (elements.length === 0) {
    const text = children.map((each) => (typeof each === 'string' ? each : isElement(each) ? '' : each.cdata)).join('');
    if (Object.keys(named).length === 0) return toJsonText(text);
    return text === '' ? named : { ...named, $: text };
  }
  const names = [...new Set(elements.map(getLocalName))];
  return {
    ...named,
    ...Object.fromEntries(
      names.map((name) => {
        const all = elements.filter((each) => getLocalName(each) === name).map(toJson);
        return [name, all.length === 1 ? all[0] : all];
      }),
    ),
  };
}

function toJsonText(text: string): string | number {
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
}

function removePrefixes(element: OutputElement): OutputElement {
  return {
    ...element,
    name: getLocalName(element),
    children: element.children.map((each) => (isElement(each) ? removePrefixes(each) : each)),
  };
}

function getLocalName({ name }: OutputElement): string {
  return name.slice(name.indexOf(':') + 1);
}

function isElement(node: OutputNode): node is OutputElement {
  return typeof node === 'object' && 'name' in node;
}
