/** Transaction: applies the changes of a document, all or none. */
import { findAttribute, readText } from '../../../cascade/xml-elements.ts';
import { readCrsName } from '../../../crs/axis-order.ts';
import type { ResolvedFilter } from '../../../filter/model/resolved-filter.ts';
import type { Geometry } from '../../../geometry/geometry.ts';
import { createReprojection } from '../../../geometry/reprojection.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Attribute, NewValues, Value } from '../../../vector/port/port.ts';
import { createNorthFirstTest, decodeGml, isGmlGeometry } from '../../../vector/wfs/gml.ts';
import { requireLock } from '../../access/changed-rows.ts';
import { editTypes, type PublishedEdits, refuseReadOnlyService } from '../../access/edit-type.ts';
import { type OpenedType, openType } from '../../access/open-type.ts';
import type { PublishedType } from '../../access/published-type.ts';
import { getPublishedAttribute } from '../../ows/property-names.ts';
import { resolveSelection } from '../../ows/resolve-selection.ts';
import { getPublishedType, type WfsContext } from '../context/context.ts';
import { getUnnamedGeometries } from '../features/open-query.ts';
import { formatCrsForVersion } from '../request/crs-names.ts';
import { listChildElements } from '../request/read-transaction.ts';
import type {
  SentFeature,
  SentProperty,
  TransactionAction,
  TransactionRequest,
  TypeName,
  WfsVersion,
} from '../request/request.ts';
import { convertText } from './text-values.ts';
import { type TransactionSummary, writeTransactionResponse } from './transaction-response.ts';

export async function transact(context: WfsContext, request: TransactionRequest): Promise<ServiceReply> {
  refuseReadOnlyService(context.featureAccess);
  const { lock } = request;
  if (lock !== undefined) await requireLock(context.services.featureLocks, lock.id);
  if (lock !== undefined && request.actions.length === 0) {
    if (lock.releases === 'all') await context.services.featureLocks.release(lock.id);
    return createReply(request.version, createSummary());
  }
  const types = await loadTypesOfOneStore(context, request);
  const opened = new Map<string, OpenedType>();
  try {
    // One type may be referred to by several names.
    for (const [name, type] of new Map([...types.values()].map((each) => [each.qualifiedName, each]))) {
      opened.set(name, await openType(context.services.vectorData, type, context.signal));
    }
    const getOpenedType = (name: TypeName): OpenedType => {
      const found = opened.get(types.get(formatTypeKey(name))?.qualifiedName ?? '');
      if (found === undefined) throw new Error('A type of the transaction was not opened');
      return found;
    };
    const steps = await Promise.all(
      request.actions.flatMap((action) => createSteps(action, request.version, getOpenedType)),
    );
    const [first] = opened.values();
    if (first === undefined) throw problem('ows-request-unreadable', { reason: 'an Insert contains no feature' });
    const summary = await editTypes(context.services, context.principal, { first, lock }, async (editsOf) => {
      const done = createSummary();
      for (const { opened: type, run } of steps) await run(editsOf(type), done);
      return done;
    });
    return createReply(request.version, summary);
  } finally {
    for (const each of opened.values()) each.release();
  }
}

function createSummary(): TransactionSummary {
  return { inserted: [], updated: 0, deleted: 0, replaced: [] };
}

function createReply(version: WfsVersion, summary: TransactionSummary): ServiceReply {
  return { contentType: 'application/xml;charset=utf-8', body: writeTransactionResponse(version, summary) };
}

function formatTypeKey({ uri, prefix, local }: TypeName): string {
  return `${uri}|${prefix}|${local}`;
}

/** Returns the types by name. Changes in several stores cannot be committed atomically. */
async function loadTypesOfOneStore(
  context: WfsContext,
  { actions }: TransactionRequest,
): Promise<ReadonlyMap<string, PublishedType>> {
  const names = actions.flatMap((action): readonly TypeName[] => {
    if (action.kind === 'insert') return action.features.map(({ typeName }) => typeName);
    return [action.kind === 'replace' ? action.feature.typeName : action.typeName];
  });
  const types = new Map<string, PublishedType>();
  for (const name of names) {
    if (!types.has(formatTypeKey(name))) types.set(formatTypeKey(name), await getPublishedType(context, name, 'write'));
  }
  const [first, ...others] = types.values();
  const other = others.find(({ records }) => records.store.id !== first?.records.store.id);
  if (first !== undefined && other !== undefined) {
    throw problem('ows-option-unsupported', {
      what: `A transaction across several stores (${first.qualifiedName} and ${other.qualifiedName})`,
      instead: 'send one transaction for each store, because each is atomic',
      field: 'typeName',
    });
  }
  return types;
}

interface Step {
  readonly opened: OpenedType;
  run(edits: PublishedEdits, done: TransactionSummary): Promise<void>;
}

type GetOpenedType = (name: TypeName) => OpenedType;

/** An Insert may contain features of several types; consecutive features of one type are inserted together. */
function createSteps(
  action: TransactionAction,
  version: WfsVersion,
  openedAs: GetOpenedType,
): readonly Promise<Step>[] {
  if (action.kind !== 'insert') {
    const opened = openedAs(action.kind === 'replace' ? action.feature.typeName : action.typeName);
    return [createStep(action, version, opened)];
  }
  const runs: { readonly opened: OpenedType; readonly features: SentFeature[] }[] = [];
  for (const feature of action.features) {
    const opened = openedAs(feature.typeName);
    const last = runs.at(-1);
    if (last?.opened === opened) last.features.push(feature);
    else runs.push({ opened, features: [feature] });
  }
  return runs.map(({ opened, features }) => createInsertStep(features, action.handle, version, opened));
}

async function createInsertStep(
  sent: readonly SentFeature[],
  handle: string | undefined,
  version: WfsVersion,
  opened: OpenedType,
): Promise<Step> {
  const features = await Promise.all(sent.map(({ properties }) => readValues(properties, version, opened)));
  return {
    opened,
    run: async (edits, { inserted }) => {
      for (const id of await edits.insert(features)) inserted.push({ id, handle });
    },
  };
}

/** Validates a step completely before anything is changed. */
async function createStep(
  action: Exclude<TransactionAction, { readonly kind: 'insert' }>,
  version: WfsVersion,
  opened: OpenedType,
): Promise<Step> {
  const filter = await resolveActionFilter(action.filter, version, opened);
  switch (action.kind) {
    case 'update': {
      const changes = await readValues(action.properties, version, opened);
      return {
        opened,
        run: async (edits, done) => {
          done.updated += (await edits.update(changes, filter)).length;
        },
      };
    }
    case 'delete':
      return {
        opened,
        run: async (edits, done) => {
          done.deleted += (await edits.remove(filter)).length;
        },
      };
    case 'replace': {
      const whole = withNulls(await readValues(action.feature.properties, version, opened), opened);
      return {
        opened,
        run: async (edits, { replaced }) => {
          replaced.push(...(await edits.replace(whole, filter)));
        },
      };
    }
  }
}

async function resolveActionFilter(
  filter: XmlElement | undefined,
  version: WfsVersion,
  opened: OpenedType,
): Promise<ResolvedFilter> {
  const selection = filter === undefined ? ({ kind: 'all' } as const) : ({ kind: 'filter', filter } as const);
  return (
    (await resolveSelection(selection, opened, getUnnamedGeometries(version, opened))) ?? {
      kind: 'constant',
      value: true,
    }
  );
}

/** Properties that are absent in a replacement become null. */
function withNulls({ attributes, values }: NewValues, { description }: OpenedType): NewValues {
  const given = new Map(attributes.map(({ name }, index) => [name, values[index] ?? null]));
  return {
    attributes: description.attributes,
    values: description.attributes.map(({ name }) => given.get(name) ?? null),
  };
}

async function readValues(
  properties: readonly SentProperty[],
  version: WfsVersion,
  opened: OpenedType,
): Promise<NewValues> {
  const attributes: Attribute[] = [];
  const values: (Value | Geometry)[] = [];
  for (const { name, value } of properties) {
    const published = getPublishedAttribute(opened.published, name, 'propertyName');
    const attribute = opened.description.attributes.find((each) => each.name === published.name) ?? published;
    attributes.push(attribute);
    values.push(value === undefined ? null : await readSentValue(value, attribute, version, opened));
  }
  return { attributes, values };
}

async function readSentValue(
  element: XmlElement,
  attribute: Attribute,
  version: WfsVersion,
  opened: OpenedType,
): Promise<Value | Geometry> {
  if (attribute.kind === 'geometry') return readGeometry(element, attribute, version, opened);
  const text = element.children.map((child) => (child.kind === 'text' ? child.text : '')).join('');
  const value = convertText(text, attribute.type);
  if (value === undefined) {
    throw problem('ows-request-unreadable', {
      reason: `'${(readText(element) ?? '').slice(0, 40)}' is an invalid value of '${attribute.name}'; expected type ${attribute.type}`,
      field: attribute.name,
    });
  }
  return value;
}

/**
 * Reprojects to the stored CRS. Geometries without a CRS are in the CRS of the type, in the axis order of the
 * version.
 */
async function readGeometry(
  element: XmlElement,
  attribute: Extract<Attribute, { kind: 'geometry' }>,
  version: WfsVersion,
  { published }: OpenedType,
): Promise<Geometry | null> {
  const [found] = listChildElements(element);
  if (found === undefined) return null;
  const { code } = published.crs;
  const srsName =
    findAttribute(found, 'srsName') ?? (code === undefined ? undefined : formatCrsForVersion(version, code));
  const named = srsName === undefined ? undefined : await readCrsName(srsName);
  const spelled = srsName === undefined ? [] : [{ name: 'srsName', local: 'srsName', uri: '', value: srsName }];
  const whole = { ...found, attributes: [...found.attributes.filter(({ local }) => local !== 'srsName'), ...spelled] };
  const geometry = isGmlGeometry(found)
    ? decodeGml(whole, await createNorthFirstTest(srsName === undefined ? [] : [srsName]))
    : undefined;
  if (geometry === undefined || (srsName !== undefined && named === undefined)) {
    throw problem('ows-request-unreadable', {
      reason: `the geometry '${attribute.name}' is invalid`,
      field: attribute.name,
    });
  }
  const reprojection = named === undefined ? undefined : await createReprojection({ code: named.code }, attribute.crs);
  return reprojection === undefined ? geometry : reprojection.reprojectGeometry(geometry);
}
