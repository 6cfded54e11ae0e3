/** Feature types as documents. */
import type { FeatureTypeDraft } from '../../catalog/feature-types/feature-type.ts';
import type { FeatureTypeView } from '../../catalog/feature-types/feature-type-view.ts';
import { boundsCrs, projectionPolicies } from '../../catalog/resources/resource.ts';
import type { CrsReference } from '../../data/crs/crs-reference.ts';
import { resolveCrs } from '../../data/crs/resolve-crs.ts';
import { type DocumentReader, document, SMALL_DOCUMENT_BYTES } from '../../http/documents/document.ts';
import { fieldsOf } from '../../http/documents/fields.ts';
import { treeMapField } from '../../http/documents/tree-map-field.ts';
import type { ResourcePath } from '../../http/formats/output-tree.ts';
import { dataStorePath } from '../data-stores/representation.ts';
import { attributeField } from './attribute-field.ts';
import { boxField, choiceField, crsField, linksField, type ShownCrs, wordsField } from './fields.ts';
import { internationalField, numberField } from './text-fields.ts';

/** A feature type with the reference systems it names, looked up. */
export interface ShownFeatureType {
  readonly view: FeatureTypeView;
  readonly nativeCrs: ShownCrs | undefined;
  /** That of the native box. */
  readonly boundsCrs: ShownCrs | undefined;
}

export async function shownFeatureType(view: FeatureTypeView): Promise<ShownFeatureType> {
  const { type } = view;
  return {
    view,
    nativeCrs: await shownCrs(type.nativeCrs, 'wkt'),
    boundsCrs: await shownCrs(boundsCrs(type), 'code'),
  };
}

async function shownCrs(reference: CrsReference, preferred: 'wkt' | 'code'): Promise<ShownCrs | undefined> {
  const definition = await resolveCrs(reference);
  const wkt = definition?.wkt ?? reference.wkt;
  const code = definition?.code ?? reference.code;
  const text = preferred === 'wkt' ? (wkt ?? code) : (code ?? wkt);
  return text === undefined ? undefined : { text, kind: definition?.kind ?? 'other' };
}

export function featureTypePath(view: FeatureTypeView): ResourcePath {
  return [...dataStorePath(view), 'featuretypes', view.type.name];
}

const { text, flag, integer, reference } = fieldsOf<ShownFeatureType>();

export const featureTypeDocument = document<ShownFeatureType, ReturnType<typeof fields>>('featureType', fields(), {
  title: ({ view }) => `Feature type ${view.type.name}`,
});

function fields() {
  return {
    name: text(({ view }) => view.type.name, { description: 'Unique in the workspace; also the name of its layer.' }),
    nativeName: text(({ view }) => view.type.nativeName, { description: 'The name in the data.' }),
    alias: text(({ view }) => view.type.alias ?? undefined, { description: 'Another name of its layer.' }),
    namespace: reference(({ view }) => ({ name: view.workspace.name, path: ['namespaces', view.workspace.name] })),
    title: text(({ view }) => view.type.title ?? undefined),
    description: text(({ view }) => view.type.description ?? undefined),
    abstract: text(({ view }) => view.type.abstract ?? undefined),
    keywords: wordsField(({ view }: ShownFeatureType) => view.type.keywords),
    metadataLinks: linksField('metadataLink', ({ view }: ShownFeatureType) => view.type.metadataLinks),
    dataLinks: linksField('dataLink', ({ view }: ShownFeatureType) => view.type.dataLinks),
    nativeCRS: crsField((shown: ShownFeatureType) => shown.nativeCrs),
    srs: text(({ view }) => view.type.srs ?? undefined, { description: 'The code that clients are told.' }),
    nativeBoundingBox: boxField((shown: ShownFeatureType) => ({
      bounds: shown.view.type.nativeBounds,
      crs: shown.boundsCrs,
    })),
    latLonBoundingBox: boxField(({ view }: ShownFeatureType) => ({
      bounds: view.type.latLonBounds,
      crs: { text: 'EPSG:4326', kind: 'geographic' },
    })),
    projectionPolicy: choiceField(projectionPolicies, ({ view }: ShownFeatureType) => view.type.projectionPolicy),
    enabled: flag(({ view }) => view.type.enabled),
    advertised: flag(({ view }) => view.type.advertised),
    metadata: treeMapField(({ view }: ShownFeatureType) => view.type.metadata, {
      description:
        'Remarks by key: text, or elements, such as the dimensionInfo of `time` and the virtualTable of `JDBC_VIRTUAL_TABLE`.',
    }),
    store: reference(({ view }) => ({
      name: `${view.workspace.name}:${view.store.name}`,
      path: dataStorePath(view),
      attributes: { class: view.store.kind },
    })),
    serviceConfiguration: flag(({ view }) => view.type.serviceConfiguration),
    disabledServices: wordsField(({ view }: ShownFeatureType) => view.type.disabledServices),
    simpleConversionEnabled: flag(({ view }) => view.type.simpleConversionEnabled),
    internationalTitle: internationalField(({ view }: ShownFeatureType) => view.type.internationalTitle),
    internationalAbstract: internationalField(({ view }: ShownFeatureType) => view.type.internationalAbstract),
    cqlFilter: text(({ view }) => view.type.cqlFilter ?? undefined),
    maxFeatures: integer(({ view }) => view.type.maxFeatures),
    numDecimals: integer(({ view }) => view.type.numDecimals),
    padWithZeros: flag(({ view }) => view.type.padWithZeros),
    forcedDecimal: flag(({ view }) => view.type.forcedDecimal),
    responseSRS: wordsField(({ view }: ShownFeatureType) => view.type.responseSRS),
    overridingServiceSRS: flag(({ view }) => view.type.overridingServiceSRS),
    skipNumberMatched: flag(({ view }) => view.type.skipNumberMatched),
    circularArcPresent: flag(({ view }) => view.type.circularArcPresent),
    linearizationTolerance: numberField(({ view }: ShownFeatureType) => view.type.linearizationTolerance),
    encodeMeasures: flag(({ view }) => view.type.encodeMeasures),
    attributes: attributeField(({ view }: ShownFeatureType) => ({
      attributes: view.type.attributes,
      source: view.store.parameters['dbtype'] === undefined ? 'file' : 'database',
    })),
  };
}

/** The same document read into the words of the catalog. */
export const featureTypeInput: DocumentReader<FeatureTypeDraft> = {
  root: featureTypeDocument.root,
  maxBytes: SMALL_DOCUMENT_BYTES,
  schema: featureTypeDocument.schema,
  read(body, purpose) {
    const { nativeBoundingBox, latLonBoundingBox, ...draft } = featureTypeDocument.read(body, purpose);
    return {
      ...draft,
      ...(nativeBoundingBox === undefined ? {} : { nativeBounds: nativeBoundingBox }),
      ...(latLonBoundingBox === undefined ? {} : { latLonBounds: latLonBoundingBox }),
    };
  },
};
