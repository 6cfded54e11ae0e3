/** Completion of names and words: of the style language, of colours in use, and of the attributes of the layer. */
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import {
  cssProperties,
  mapLibreNames,
  mapLibreTypes,
  marks,
  sldChildren,
  sldParameters,
  vendorOptions,
} from '../style-text/grammar.ts';
import type { StyleLanguage } from '../style-text/languages.ts';
import { findOpenElements } from '../style-text/open-elements.ts';

export interface CompletionNames {
  readonly attributes: readonly string[];
}

/** How far back the start of a tag or declaration is searched. */
const MAX_LOOK_BACK = 4_000;

export function completeStyle(
  context: CompletionContext,
  language: StyleLanguage,
  names: CompletionNames,
): CompletionResult | null {
  switch (language) {
    case 'css':
      return completeCss(context, names);
    case 'sld':
      return completeSld(context, names);
    case 'mbstyle':
      return completeMapLibre(context, names);
    case 'ysld':
      return null;
  }
}

function readBefore({ state, pos }: CompletionContext): string {
  return state.sliceDoc(Math.max(0, pos - MAX_LOOK_BACK), pos);
}

function offer(context: CompletionContext, typed: string, options: readonly Completion[]): CompletionResult | null {
  if (options.length === 0 || (typed === '' && !context.explicit)) return null;
  return { from: context.pos - typed.length, options: [...options], validFor: /^[\w:/-]*$/ };
}

const toOptions = (labels: readonly string[], type: string): readonly Completion[] =>
  labels.map((label) => ({ label, type }));

function completeCss(context: CompletionContext, { attributes }: CompletionNames): CompletionResult | null {
  const before = readBefore(context);
  // Brackets contain filters and expressions.
  const [, inBrackets] = /\[[^\]{}]*?([\w]*)$/.exec(before) ?? [];
  if (inBrackets !== undefined) return offer(context, inBrackets, [...toOptions(attributes, 'variable')]);
  const [, inSymbol] = /symbol\(\s*["']?([\w:/]*)$/.exec(before) ?? [];
  if (inSymbol !== undefined) return offer(context, inSymbol, toOptions(marks, 'constant'));
  const depth = before.lastIndexOf('{') > before.lastIndexOf('}');
  const [, property, value = ''] = /([\w-]+)\s*:\s*(?:[^;{}]*[\s,(])?([\w-]*)$/.exec(before) ?? [];
  const isValue = property !== undefined && cssProperties[property] !== undefined && !/[;{}]\s*[\w-]*$/.test(before);
  if (isValue) {
    const functions = /^(?:fill|stroke|mark|shield)$/.test(property)
      ? [{ label: 'symbol(', type: 'function', apply: "symbol('circle')" }]
      : [];
    return offer(context, value, [...toOptions(cssProperties[property] ?? [], 'constant'), ...functions]);
  }
  const [typed = ''] = /[\w-]*$/.exec(before) ?? [];
  if (!depth && !/}[^{]*$/.test(before.slice(before.lastIndexOf('{')))) return null;
  return offer(
    context,
    typed,
    Object.keys(cssProperties).map((label) => ({ label, type: 'property', apply: `${label}: ` })),
  );
}

function completeSld(context: CompletionContext, { attributes }: CompletionNames): CompletionResult | null {
  const { state, pos } = context;
  const before = readBefore(context);
  const open = findOpenElements(state.sliceDoc(0, pos));
  const parent = open.at(-1)?.name ?? '';
  const [, element, attribute, value] = /<(?:\w+:)?(\w+)\s[^<>]*?(\w+)=["']([\w-]*)$/.exec(before) ?? [];
  if (element !== undefined && attribute === 'name') {
    const known = element === 'VendorOption' ? Object.keys(vendorOptions) : (sldParameters[parent] ?? []);
    return offer(context, value ?? '', toOptions(known, 'property'));
  }
  const [, typed] = /<([\w:]*)$/.exec(before) ?? [];
  if (typed !== undefined) {
    const prefix = open.at(-1)?.prefix ?? '';
    const options = (sldChildren[parent] ?? []).map((name): Completion => {
      const label = prefix === '' || name.includes(':') ? name : `${prefix}:${name}`;
      const isParameter = /Parameter$|^VendorOption$/.test(name);
      return { label, type: 'type', apply: isParameter ? `${label} name="` : `${label}>` };
    });
    // An open tag has a place for names even if nothing is typed.
    return options.length === 0
      ? null
      : {
          from: pos - typed.length,
          options: [...options, { label: `/${open.at(-1)?.tag ?? ''}>`, type: 'keyword' }],
          validFor: /^[\w:/]*$/,
        };
  }
  const [, text = ''] = />([\w:/]*)$/.exec(before) ?? [];
  if (parent === 'PropertyName') return offer(context, text, toOptions(attributes, 'variable'));
  if (parent === 'WellKnownName') return offer(context, text, toOptions(marks, 'constant'));
  if (parent === 'VendorOption') {
    const [, option = ''] = /name=["']([\w-]+)["']>[^<]*$/.exec(before) ?? [];
    return offer(context, text, toOptions(vendorOptions[option] ?? [], 'constant'));
  }
  return null;
}

function completeMapLibre(context: CompletionContext, { attributes }: CompletionNames): CompletionResult | null {
  const before = readBefore(context);
  const [, typed] = /"([\w-]*)$/.exec(before) ?? [];
  if (typed === undefined) return null;
  if (/\[\s*"(?:get|has)"\s*,\s*"[\w-]*$/.test(before)) return offer(context, typed, toOptions(attributes, 'variable'));
  if (/"type"\s*:\s*"[\w-]*$/.test(before)) return offer(context, typed, toOptions(mapLibreTypes, 'constant'));
  if (/[{,]\s*"[\w-]*$/.test(before)) return offer(context, typed, toOptions(mapLibreNames, 'property'));
  return null;
}
