/** Transaction: changes features as a document says, all of them or none. */
import { attributeOf, textOf } from '../../data/cascade/xml-parts.ts';
import { readCrsName } from '../../data/crs/axis-order.ts';
import type { ResolvedFilter } from '../../data/filter/resolved-filter.ts';
import type { Geometry } from '../../data/vector/geometry.ts';
import type { Attribute, NewValues, Value } from '../../data/vector/port.ts';
import { createReprojection } from '../../data/vector/query/reprojection.ts';
import { decodeGml, isGmlGeometry, northFirstAmong } from '../../data/vector/wfs/gml.ts';
import type { ServiceReply } from '../../http/service-reply.ts';
import { problem } from '../../lib/problem.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { editType, type PublishedEdits, refuseReadOnlyService } from '../door/edit-type.ts';
import { type OpenedType, openType } from '../door/open-type.ts';
import { findType, type WfsContext } from './context.ts';
import { spelledFor } from './crs-names.ts';
import { resolvedSelection } from './open-query.ts';
import { propertyNamed } from './property-names.ts';
import { elementsIn } from './read-transaction.ts';
import type { SentProperty, TransactionAction, TransactionRequest, TypeName, WfsVersion } from './request.ts';
import { convertText } from './text-values.ts';
import { type TransactionSummary, transactionResponse } from './transaction-response.ts';

export async function transact(context: WfsContext, request: TransactionRequest): Promise<ServiceReply> {
  refuseReadOnlyService(context.door);
  const published = await oneType(context, request);
  const opened = await openType(context.services.vectorData, published, context.signal);
  try {
    const steps = await Promise.all(request.actions.map((action) => stepOf(action, request.version, opened)));
    const summary = await editType(context.services, context.principal, opened, async (edits) => {
      const done: TransactionSummary = { inserted: [], updated: 0, deleted: 0, replaced: [] };
      for (const step of steps) await step(edits, done);
      return done;
    });
    return { contentType: 'application/xml;charset=utf-8', body: transactionResponse(request.version, summary) };
  } finally {
    opened.release();
  }
}

/** What is in two stores cannot be changed together or not at all. */
async function oneType(context: WfsContext, { actions }: TransactionRequest) {
  const names = actions.flatMap((action): readonly TypeName[] => {
    if (action.kind === 'insert') return action.features.map(({ typeName }) => typeName);
    return [action.kind === 'replace' ? action.feature.typeName : action.typeName];
  });
  const distinct = new Map(names.map((name) => [`${name.uri}|${name.prefix}|${name.local}`, name]));
  const types = await Promise.all([...distinct.values()].map((name) => findType(context, name, 'write')));
  const [first] = types;
  if (first === undefined) throw problem('ows-request-unreadable', { reason: 'an Insert has no feature' });
  const other = types.find(({ qualifiedName }) => qualifiedName !== first.qualifiedName);
  if (other !== undefined) {
    throw problem('ows-option-unsupported', {
      what: `A transaction of ${first.qualifiedName} and ${other.qualifiedName}`,
      instead: 'send one for each type, since each is done as a whole or not at all',
      field: 'typeName',
    });
  }
  return first;
}

type Step = (edits: PublishedEdits, done: TransactionSummary) => Promise<void>;

/** All that can be wrong with it is found before anything is changed. */
async function stepOf(action: TransactionAction, version: WfsVersion, opened: OpenedType): Promise<Step> {
  switch (action.kind) {
    case 'insert': {
      const features = await Promise.all(action.features.map((each) => valuesOf(each.properties, version, opened)));
      return async (edits, { inserted }) => {
        for (const id of await edits.insert(features)) inserted.push({ id, handle: action.handle });
      };
    }
    case 'update': {
      const [changes, filter] = [
        await valuesOf(action.properties, version, opened),
        await filterOf(action.filter, version, opened),
      ];
      return async (edits, done) => {
        done.updated += (await edits.update(changes, filter)).length;
      };
    }
    case 'delete': {
      const filter = await filterOf(action.filter, version, opened);
      return async (edits, done) => {
        done.deleted += (await edits.remove(filter)).length;
      };
    }
    case 'replace': {
      const [sent, filter] = [
        await valuesOf(action.feature.properties, version, opened),
        await filterOf(action.filter, version, opened),
      ];
      const whole = withNulls(sent, opened);
      return async (edits, { replaced }) => {
        replaced.push(...(await edits.update(whole, filter)));
      };
    }
  }
}

async function filterOf(
  filter: XmlElement | undefined,
  version: WfsVersion,
  opened: OpenedType,
): Promise<ResolvedFilter> {
  const selection = filter === undefined ? ({ kind: 'all' } as const) : ({ kind: 'filter', filter } as const);
  return (await resolvedSelection(version, selection, opened)) ?? { kind: 'constant', value: true };
}

/** What a new version of a feature does not have is gone. */
function withNulls({ attributes, values }: NewValues, { description }: OpenedType): NewValues {
  const given = new Map(attributes.map(({ name }, index) => [name, values[index] ?? null]));
  return {
    attributes: description.attributes,
    values: description.attributes.map(({ name }) => given.get(name) ?? null),
  };
}

async function valuesOf(
  properties: readonly SentProperty[],
  version: WfsVersion,
  opened: OpenedType,
): Promise<NewValues> {
  const attributes: Attribute[] = [];
  const values: (Value | Geometry)[] = [];
  for (const { name, value } of properties) {
    const published = propertyNamed(opened.published, name, 'propertyName');
    const attribute = opened.description.attributes.find((each) => each.name === published.name) ?? published;
    attributes.push(attribute);
    values.push(value === undefined ? null : await sentValue(value, attribute, version, opened));
  }
  return { attributes, values };
}

async function sentValue(
  element: XmlElement,
  attribute: Attribute,
  version: WfsVersion,
  opened: OpenedType,
): Promise<Value | Geometry> {
  if (attribute.kind === 'geometry') return geometryOf(element, attribute, version, opened);
  const text = element.children.map((child) => (child.kind === 'text' ? child.text : '')).join('');
  const value = convertText(text, attribute.type);
  if (value === undefined) {
    throw problem('ows-request-unreadable', {
      reason: `'${(textOf(element) ?? '').slice(0, 40)}' cannot be the value of '${attribute.name}', which is of the type ${attribute.type}`,
      field: attribute.name,
    });
  }
  return value;
}

/** In the system that it is kept in; what names none is in that of the type, as the version has it. */
async function geometryOf(
  element: XmlElement,
  attribute: Extract<Attribute, { kind: 'geometry' }>,
  version: WfsVersion,
  { published }: OpenedType,
): Promise<Geometry | null> {
  const [found] = elementsIn(element);
  if (found === undefined) return null;
  const { code } = published.crs;
  const srsName = attributeOf(found, 'srsName') ?? (code === undefined ? undefined : spelledFor(version, code));
  const named = srsName === undefined ? undefined : await readCrsName(srsName);
  const spelled = srsName === undefined ? [] : [{ name: 'srsName', local: 'srsName', uri: '', value: srsName }];
  const whole = { ...found, attributes: [...found.attributes.filter(({ local }) => local !== 'srsName'), ...spelled] };
  const geometry = isGmlGeometry(found)
    ? decodeGml(whole, await northFirstAmong(srsName === undefined ? [] : [srsName]))
    : undefined;
  if (geometry === undefined || (srsName !== undefined && named === undefined)) {
    throw problem('ows-request-unreadable', {
      reason: `the geometry '${attribute.name}' cannot be read`,
      field: attribute.name,
    });
  }
  const reprojection = named === undefined ? undefined : await createReprojection({ code: named.code }, attribute.crs);
  return reprojection === undefined ? geometry : reprojection.geometry(geometry);
}
