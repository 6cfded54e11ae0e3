/** CreateStoredQuery and DropStoredQuery. */
import {
  createStoredQueries,
  deleteStoredQuery,
  GET_FEATURE_BY_ID,
  isGetFeatureById,
} from '../../../catalog/stored-queries/stored-queries.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { Problem, problem } from '../../../lib/problems/problem.ts';
import { createAccessProblem } from '../../access/service-request.ts';
import type { WfsContext } from '../context/context.ts';
import { createOperationProblem, isOffered } from '../request/operations.ts';
import type { CreateStoredQueryRequest, DropStoredQueryRequest } from '../request/request.ts';
import { createStoredQueryProblem, mayManageStoredQueries } from './find-stored-queries.ts';

export async function createStoredQuery(context: WfsContext, request: CreateStoredQueryRequest): Promise<ServiceReply> {
  await refuseManagement(context, request);
  const { services, principal, featureAccess } = context;
  try {
    await createStoredQueries(services.catalog, principal, featureAccess.workspace?.name, request.definitions);
  } catch (error) {
    // The locator is the id, as the standard requires.
    if (!(error instanceof Problem) || error.code !== 'stored-query-exists') throw error;
    const name = String(error.details['name']);
    throw problem('stored-query-exists', { name, field: name });
  }
  return { ...createReply('CreateStoredQueryResponse'), warnings: request.warnings };
}

export async function dropStoredQuery(context: WfsContext, request: DropStoredQueryRequest): Promise<ServiceReply> {
  await refuseManagement(context, request);
  const { services, principal, featureAccess } = context;
  const { id } = request;
  if (isGetFeatureById(id)) {
    throw problem('ows-option-unsupported', {
      what: `The deletion of ${GET_FEATURE_BY_ID}`,
      instead: 'name another stored query',
      field: 'id',
    });
  }
  const workspace = featureAccess.workspace?.name;
  try {
    const place = workspace === undefined ? { name: id } : { name: id, workspace };
    await deleteStoredQuery(services.catalog, principal, place, {});
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'stored-query-unknown') throw error;
    throw createStoredQueryProblem(id);
  }
  return createReply('DropStoredQueryResponse');
}

async function refuseManagement(
  context: WfsContext,
  { kind, version }: CreateStoredQueryRequest | DropStoredQueryRequest,
): Promise<void> {
  if (!isOffered(kind, context.settings)) throw createOperationProblem(kind, version);
  if (!(await mayManageStoredQueries(context))) throw createAccessProblem(context.principal);
}

function createReply(name: string): ServiceReply {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<wfs:${name} xmlns:wfs="http://www.opengis.net/wfs/2.0" status="OK"/>\n`;
  return { contentType: 'application/xml;charset=utf-8', body };
}
