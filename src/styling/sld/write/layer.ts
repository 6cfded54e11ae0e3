/** Writes the descriptor and its layers. */
import type {
  FeatureTypeConstraint,
  Layer,
  NamedLayer,
  NamedStyle,
  StyledLayerDescriptor,
  UserLayer,
} from '../../model/styled-layer-descriptor.ts';
import { gmlNamespace, ogcNamespace, seNamespace, sldNamespace, xlinkNamespace } from '../namespaces.ts';
import { writeFilter } from './filter.ts';
import { writeForeignElement } from './foreign.ts';
import { loseDescription, writeDescription, writeHeading } from './heading.ts';
import { element, maybeText, type OutputElement, textElement } from './output.ts';
import { writeOnlineResource } from './paint.ts';
import { writeUserStyle } from './style.ts';
import type { Writing } from './writing.ts';

export function writeDescriptor(writing: Writing, model: StyledLayerDescriptor): OutputElement {
  const libraries = model.libraries ?? [];
  if (libraries.length > 0 && !writing.isSymbologyEncoding) writing.lose('where a library of styles is');
  return element(
    'StyledLayerDescriptor',
    [
      ...writeHeading(writing, model),
      ...libraries.map((href) => element('UseSLDLibrary', [writeOnlineResource(writing, href)])),
      ...model.layers.map((layer, index) => writeLayer(writing, layer, index)),
    ],
    {
      version: writing.version,
      xmlns: sldNamespace,
      'xmlns:se': writing.isSymbologyEncoding ? seNamespace : undefined,
      'xmlns:ogc': ogcNamespace,
      'xmlns:gml': gmlNamespace,
      'xmlns:xlink': xlinkNamespace,
    },
  );
}

function writeLayer(writing: Writing, layer: Layer, index: number): OutputElement {
  const name = layer.kind === 'namedLayer' ? 'NamedLayer' : 'UserLayer';
  return writing.inside(`${name}[${index + 1}]`, () => {
    loseDescription(writing, layer);
    return layer.kind === 'namedLayer' ? writeNamedLayer(writing, layer) : writeUserLayer(writing, layer);
  });
}

function writeNamedLayer(writing: Writing, layer: NamedLayer): OutputElement {
  return element('NamedLayer', [
    textElement(writing.symbol('Name'), layer.name),
    ...(writing.isSymbologyEncoding ? writeDescription(writing, layer) : []),
    writeConstraints(writing, layer.featureConstraints),
    ...layer.styles.map((style, index) =>
      style.kind === 'namedStyle'
        ? writing.inside(`NamedStyle[${index + 1}]`, () => writeNamedStyle(writing, style))
        : writing.inside(`UserStyle[${index + 1}]`, () => writeUserStyle(writing, style)),
    ),
  ]);
}

function writeNamedStyle(writing: Writing, style: NamedStyle): OutputElement {
  loseDescription(writing, style);
  return element('NamedStyle', [
    textElement(writing.symbol('Name'), style.name),
    ...(writing.isSymbologyEncoding ? writeDescription(writing, style) : []),
  ]);
}

function writeUserLayer(writing: Writing, layer: UserLayer): OutputElement {
  const { coverageConstraints } = layer;
  if (coverageConstraints !== undefined && !writing.isSymbologyEncoding) writing.lose('which coverages to draw');
  return element('UserLayer', [
    maybeText(writing.symbol('Name'), layer.name),
    ...(writing.isSymbologyEncoding ? writeDescription(writing, layer) : []),
    writeSource(writing, layer),
    writeConstraints(writing, layer.featureConstraints),
    coverageConstraints && writeForeignElement(coverageConstraints, sldNamespace),
    ...layer.styles.map((style, index) =>
      writing.inside(`UserStyle[${index + 1}]`, () => writeUserStyle(writing, style)),
    ),
  ]);
}

function writeSource(writing: Writing, { source }: UserLayer): OutputElement | undefined {
  switch (source?.kind) {
    case 'remoteService':
      return element('RemoteOWS', [textElement('Service', source.service), writeOnlineResource(writing, source.href)]);
    case 'inlineFeatures':
      return writeForeignElement(source.element, sldNamespace);
    default:
      return undefined;
  }
}

function writeConstraints(
  writing: Writing,
  constraints: readonly FeatureTypeConstraint[] | undefined,
): OutputElement | undefined {
  if (constraints === undefined) return undefined;
  return element(
    'LayerFeatureConstraints',
    constraints.map(({ featureTypeName, filter, extents }) =>
      element('FeatureTypeConstraint', [
        maybeText(writing.symbol('FeatureTypeName'), featureTypeName),
        filter && writeFilter(writing, filter),
        ...extents.map(({ name, value }) =>
          element('Extent', [textElement(writing.symbol('Name'), name), textElement('Value', value)]),
        ),
      ]),
    ),
  );
}
