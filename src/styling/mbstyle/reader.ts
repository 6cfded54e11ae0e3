/** Reads MapLibre and Mapbox styles (JSON) into the style model, or reports all errors. */
import { deepFreeze } from '../../lib/values/deep-freeze.ts';
import { DocumentComplaints } from '../documents/document-complaints.ts';
import { type DocumentObject, isList, isObject } from '../documents/document-value.ts';
import { findExcess } from '../model/inner-size.ts';
import type {
  FeatureTypeStyle,
  NamedLayer,
  StyledLayerDescriptor,
  UserStyle,
} from '../model/styled-layer-descriptor.ts';
import { ExpressionBudget } from './expression-inputs.ts';
import { readSprites } from './icons.ts';
import { type ReadLayer, readLayer } from './layers.ts';
import { locateValue, parseDocument } from './parse-document.ts';
import { reportOtherOrders } from './sort-keys.ts';

export interface MbStyleReadResult {
  /** Deeply frozen. */
  readonly model: StyledLayerDescriptor;
  /** Sentences with pointers about parts that are not drawn, up to a limit. */
  readonly warnings: readonly string[];
}

/** Throws `style-invalid` with every error, or a problem of the JSON syntax. */
export function readMbStyle(text: string, { strict = false }: { readonly strict?: boolean } = {}): MbStyleReadResult {
  const root = parseDocument(text);
  const complaints = new DocumentComplaints({
    language: 'MapLibre style JSON',
    text,
    locate: (path) => locateValue(text, path),
    isStrict: strict,
  });
  const model = isObject(root) ? readRoot(root, complaints) : undefined;
  if (!isObject(root)) complaints.add([], 'expected an object');
  const excess = model && findExcess(model);
  if (excess !== undefined) complaints.add(['layers'], excess);
  const problem = complaints.toProblem();
  if (problem !== undefined) throw problem;
  if (model === undefined) throw new Error('A style without errors was not translated.');
  return { model: deepFreeze(model), warnings: complaints.toWarnings() };
}

function readRoot(root: DocumentObject, complaints: DocumentComplaints): StyledLayerDescriptor | undefined {
  const version = root.get('version');
  if (version === undefined) complaints.warnUnlessStrict([], "the member 'version' is missing");
  else if (version !== 8) complaints.add(['version'], 'expected the number 8');
  const layers = root.get('layers');
  if (!isList(layers)) {
    complaints.add(layers === undefined ? [] : ['layers'], "expected a list of layers in 'layers'");
    return undefined;
  }
  const definitions = new Map(
    layers.flatMap((layer): [string, DocumentObject][] => {
      const id = isObject(layer) ? layer.get('id') : undefined;
      return isObject(layer) && typeof id === 'string' ? [[id, layer]] : [];
    }),
  );
  const sprites = readSprites(root.get('sprite'));
  const context = { complaints, budget: new ExpressionBudget(), definitions, sprites };
  const read = layers.flatMap((layer, index) => readLayer(layer, ['layers', index], context));
  reportOtherOrders(read, complaints);
  const name = root.get('name');
  return buildDescriptor(read, typeof name === 'string' && name.trim() !== '' ? name : undefined);
}

/**
 * Each source layer becomes a layer of its name. If there is only one, its name is irrelevant, as in SLD. Layers
 * without a source layer belong to all.
 */
function buildDescriptor(read: readonly ReadLayer[], name: string | undefined): StyledLayerDescriptor {
  const sourceLayers = [...new Set(read.flatMap(({ sourceLayer }) => sourceLayer ?? []))];
  const names = sourceLayers.length === 0 ? [name ?? 'style'] : sourceLayers;
  const layers = names.map((each): NamedLayer => {
    const own = read.filter(({ sourceLayer = each }) => sourceLayer === each);
    const [background] = own.flatMap((layer) => layer.background ?? []);
    const style: UserStyle = {
      kind: 'userStyle',
      ...(name === undefined ? {} : { name, title: name }),
      ...(background === undefined ? {} : { background }),
      featureTypeStyles: own.flatMap(({ style: drawn }): readonly FeatureTypeStyle[] =>
        drawn === undefined ? [] : [drawn],
      ),
    };
    return { kind: 'namedLayer', name: each, styles: [style] };
  });
  return { kind: 'styledLayerDescriptor', ...(name === undefined ? {} : { name }), layers };
}
