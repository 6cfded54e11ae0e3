/** Reads YSLD, the notation of SLD in YAML, into the style model, or reports all errors. */

import type { Expression } from '../../filter/model/expression.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import { deepFreeze } from '../../lib/values/deep-freeze.ts';
import { omitUndefined } from '../css/translate/omit-undefined.ts';
import { DocumentComplaints } from '../documents/document-complaints.ts';
import { isList, isObject } from '../documents/document-value.ts';
import type { FeatureTypeStyle, Rule, StyledLayerDescriptor, UserStyle } from '../model/styled-layer-descriptor.ts';
import { Members } from './members.ts';
import { parseDocument } from './parse-document.ts';
import { readSymbolizers, symbolizerNames } from './symbolizers.ts';

export interface YsldReadResult {
  /** Deeply frozen. */
  readonly model: StyledLayerDescriptor;
  /** Sentences with pointers about tolerated deviations, up to a limit. */
  readonly warnings: readonly string[];
}

/** The scale denominator of level 0 of the usual grid, whose tiles have 256 pixels. */
const LEVEL_0_DENOMINATOR = 559_082_264.029;

/** Throws `style-invalid` with every error. */
export function readYsld(text: string, { strict = false }: { readonly strict?: boolean } = {}): YsldReadResult {
  const { root, locate, errors } = parseDocument(text);
  const offsets = errors.map(({ offset }) => offset);
  const complaints = new DocumentComplaints({
    language: 'YSLD',
    text,
    // Errors of the syntax have no path; theirs is the number of the error.
    locate: (path, part) => (errors.length > 0 ? (offsets[Number(path[0])] ?? 0) : locate(path, part)),
    isStrict: strict,
  });
  for (const [index, { message }] of errors.entries()) complaints.add([index], message);
  const model = errors.length === 0 && isObject(root) ? readRoot(new Members(complaints, [], root)) : undefined;
  if (errors.length === 0 && !isObject(root)) complaints.add([], 'expected a mapping');
  const problem = complaints.toProblem();
  if (problem !== undefined) throw problem;
  if (model === undefined) throw new Error('A style without errors was not translated.');
  return { model: deepFreeze(model), warnings: complaints.toWarnings() };
}

/** Lists can be shortened: a style may begin with its rules, its symbolizers, or a single symbolizer. */
function readRoot(root: Members): StyledLayerDescriptor {
  const name = root.word('name') ?? root.word('sld-name');
  const title = root.word('title') ?? root.word('sld-title');
  const abstract = root.word('abstract') ?? root.word('sld-abstract');
  for (const known of ['define', 'grid', 'sld-name', 'sld-title', 'sld-abstract']) root.value(known);
  if (root.has('grid') && root.object('grid')?.word('name') !== 'WebMercator')
    root.complaints.warn(root.pathOf('grid'), 'zoom levels are those of Web Mercator');
  const styles = root.has('feature-styles') ? root.objects('feature-styles') : [root];
  const featureTypeStyles = styles.map((each) => readFeatureStyle(each, each === root));
  root.reportUnused();
  const style = omitUndefined<UserStyle>({ kind: 'userStyle', name, title, abstract, featureTypeStyles });
  return {
    kind: 'styledLayerDescriptor',
    ...(name === undefined ? {} : { name }),
    layers: [{ kind: 'namedLayer', name: name ?? 'style', styles: [style] }],
  };
}

function readFeatureStyle(members: Members, isRoot: boolean): FeatureTypeStyle {
  const rules = members.has('rules') ? members.objects('rules') : [members];
  const read = omitUndefined<FeatureTypeStyle>({
    kind: 'featureTypeStyle',
    ...(isRoot ? {} : { name: members.word('name'), title: members.word('title'), abstract: members.word('abstract') }),
    transformation: readTransformation(members),
    rules: rules.map((each) => readRule(each, each === members)),
    ...members.vendorOptions(),
  });
  if (!isRoot) members.reportUnused();
  return read;
}

/** `transform: {name: ras:Contour, params: {levels: 100}}` is a call with a function for each parameter. */
function readTransformation(members: Members): Expression | undefined {
  const transform = members.object('transform');
  const name = transform?.word('name');
  if (transform === undefined || name === undefined) return undefined;
  transform.value('input');
  transform.value('output');
  const params = transform.value('params');
  const parameters = isObject(params) ? [...params.keys()] : [];
  const values = transform.object('params');
  return {
    kind: 'function',
    name,
    arguments: parameters.map((each) => ({
      kind: 'function',
      name: 'parameter',
      arguments: [createLiteral(each), ...(isList(params) ? [] : (values?.expressions(each) ?? []))],
    })),
  };
}

function readRule(members: Members, isInherited: boolean): Rule {
  const filter = members.filter('filter');
  const isElse = members.word('else') === 'true';
  const items = members.has('symbolizers') ? members.objects('symbolizers') : [members];
  const symbolizers = items.flatMap((item) => {
    const read = readSymbolizers(item);
    if (item !== members) item.reportUnused();
    return read;
  });
  if (items.length === 1 && items[0] === members && symbolizers.length === 0)
    members.complaints.add(members.path, `expected symbolizers: ${symbolizerNames.join(', ')}`);
  const read = omitUndefined<Rule>({
    kind: 'rule',
    ...(isInherited
      ? {}
      : { name: members.word('name'), title: members.word('title'), abstract: members.word('abstract') }),
    filter: isElse ? { kind: 'else' } : filter?.kind === 'include' || filter?.kind === 'exclude' ? undefined : filter,
    ...readScales(members),
    symbolizers,
    ...(isInherited ? {} : members.vendorOptions()),
  });
  if (!isInherited) members.reportUnused();
  return read;
}

/** `scale: [min, max]` has denominators; `zoom: [first, last]` has levels, each up to halfway to the next. */
function readScales(members: Members): Pick<Rule, 'minScaleDenominator' | 'maxScaleDenominator'> {
  const [min, max] = readRange(members, 'scale') ?? [];
  const [first, last] = readRange(members, 'zoom') ?? [];
  const half = Math.SQRT2;
  const low = last === undefined ? min : LEVEL_0_DENOMINATOR / 2 ** last / half;
  const high = first === undefined || first <= 0 ? max : (LEVEL_0_DENOMINATOR / 2 ** first) * half;
  return {
    ...(low === undefined || low <= 0 ? {} : { minScaleDenominator: Number(low.toPrecision(9)) }),
    ...(high === undefined ? {} : { maxScaleDenominator: Number(high.toPrecision(9)) }),
  };
}

/** Ends can be `min` and `max`, or missing. A single level is a range of one. */
function readRange(
  members: Members,
  name: 'scale' | 'zoom',
): readonly [number | undefined, number | undefined] | undefined {
  const value = members.value(name);
  if (value === undefined) return undefined;
  const parts = isList(value) ? value : typeof value === 'string' ? value.replace(/[()[\]]/g, '').split(',') : [value];
  const [low, high] = parts.map((part) => {
    const text = String(part ?? '').trim();
    return text === '' || text === 'min' || text === 'max' ? undefined : Number(text);
  });
  const isValid = parts.length <= 2 && [low, high].every((each) => each === undefined || Number.isFinite(each));
  if (isValid) return [low, parts.length === 1 ? low : high];
  members.complaints.add(members.pathOf(name), 'expected two numbers, such as [1000, 50000]');
  return undefined;
}
