/** Parses transactions: documents that insert, update, replace and delete features. */
import { findAttribute, findChild, findChildren, readChildText } from '../../../cascade/xml-elements.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { extendScope, type NamespaceScope } from '../../ows/message.ts';
import {
  readTypeName,
  type SentFeature,
  type SentProperty,
  type TransactionAction,
  type TransactionRequest,
  type TransactionTarget,
  type WfsVersion,
} from './request.ts';

export function readTransaction(root: XmlElement, scope: NamespaceScope, version: WfsVersion): TransactionRequest {
  const actions = listChildElements(root).flatMap((element) =>
    readAction(element, extendScope(scope, element), version),
  );
  const lock = readLock(root);
  if (actions.length === 0 && lock === undefined) {
    throw createUnreadableProblem(`expected an Insert, Update, Delete or Replace in '${root.name}'`);
  }
  return { kind: 'Transaction', version, actions, ...(lock === undefined ? {} : { lock }) };
}

/** The id of a lock is an element in versions 1.x and an attribute in 2.0.0. */
function readLock(root: XmlElement): TransactionRequest['lock'] {
  const id = findAttribute(root, 'lockId') ?? readChildText(root, 'LockId') ?? '';
  const action = findAttribute(root, 'releaseAction') ?? 'ALL';
  if (action !== 'ALL' && action !== 'SOME') {
    throw problem('ows-parameter-invalid', {
      parameter: 'releaseAction',
      value: action,
      expected: 'expected ALL or SOME',
      field: 'releaseAction',
    });
  }
  return id === '' ? undefined : { id, releases: action === 'ALL' ? 'all' : 'changed' };
}

function readAction(
  element: XmlElement,
  scope: NamespaceScope,
  version: WfsVersion,
): TransactionAction | readonly TransactionAction[] {
  switch (element.local) {
    case 'Insert':
      return {
        kind: 'insert',
        features: listFeatureElements(element).map(readFeature),
        handle: findAttribute(element, 'handle'),
      };
    case 'Update':
      return {
        kind: 'update',
        ...readTarget(element, scope),
        properties: findChildren(element, 'Property').map(readProperty),
      };
    case 'Delete': {
      const target = readTarget(element, scope);
      if (target.filter === undefined) throw createUnreadableProblem('a Delete requires a Filter');
      return { kind: 'delete', ...target };
    }
    case 'Replace': {
      const filter = findChild(element, 'Filter');
      const [feature] = listFeatureElements(element);
      if (version !== '2.0.0') throw createUnreadableProblem('Replace requires version 2.0.0');
      if (filter === undefined || feature === undefined)
        throw createUnreadableProblem('a Replace requires a feature and a Filter');
      return { kind: 'replace', feature: readFeature(feature), filter };
    }
    case 'Native':
      if (findAttribute(element, 'safeToIgnore') === 'true') return [];
      throw problem('ows-option-unsupported', { what: 'Native', instead: 'use Insert, Update and Delete' });
    default:
      if (element.local === 'LockId') return [];
      throw createUnreadableProblem(`unexpected element '${element.name}' in a Transaction`);
  }
}

function readTarget(element: XmlElement, scope: NamespaceScope): TransactionTarget {
  const typeName = findAttribute(element, 'typeName');
  if (typeName === undefined || typeName === '') {
    throw problem('ows-parameter-missing', {
      parameter: 'typeName',
      expected: `expected the name of a feature type on each ${element.local}`,
      field: 'typeName',
    });
  }
  return { typeName: readTypeName(typeName, scope), filter: findChild(element, 'Filter') };
}

/** Returns features that are direct children or members of a collection. */
function listFeatureElements(element: XmlElement): readonly XmlElement[] {
  return listChildElements(element)
    .filter(({ local }) => local !== 'Filter')
    .flatMap((child) =>
      child.local === 'FeatureCollection'
        ? listChildElements(child)
            .filter(({ local }) => /^(?:member|featureMembers?)$/.test(local))
            .flatMap(listChildElements)
        : [child],
    );
}

function readFeature(element: XmlElement): SentFeature {
  const prefix = element.name.includes(':') ? { prefix: element.name.slice(0, element.name.indexOf(':')) } : {};
  return {
    typeName: { local: element.local, ...prefix, ...(element.uri === '' ? {} : { uri: element.uri }) },
    // Standard GML properties such as boundedBy are not properties of the type.
    properties: listChildElements(element)
      .filter(({ uri }) => !uri.startsWith('http://www.opengis.net/gml'))
      .map((child) => ({ name: child.local, value: isNil(child) ? undefined : child })),
  };
}

function readProperty(element: XmlElement): SentProperty {
  const reference = findChild(element, 'ValueReference');
  const name = readChildText(element, 'ValueReference') ?? readChildText(element, 'Name');
  if (name === null) throw createUnreadableProblem('a Property of an Update has no name');
  const action = (reference && findAttribute(reference, 'action')) ?? 'replace';
  if (action !== 'replace' && action !== 'remove') {
    throw problem('ows-option-unsupported', { what: `The update action '${action}'`, instead: 'use replace' });
  }
  const value = findChild(element, 'Value');
  return { name, value: action === 'remove' || value === undefined || isNil(value) ? undefined : value };
}

function isNil(element: XmlElement): boolean {
  return findAttribute(element, 'nil') === 'true';
}

export function listChildElements({ children }: XmlElement): readonly XmlElement[] {
  return children.filter((child) => child.kind === 'element');
}

function createUnreadableProblem(reason: string): Error {
  return problem('ows-request-unreadable', { reason });
}
