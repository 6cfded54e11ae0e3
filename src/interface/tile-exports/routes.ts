/** Routes for tile exports: jobs that write the tiles of a layer or group to an archive. */

import { findWorkspace } from '../../catalog/workspaces/workspaces.ts';
import type { OpenFileResult } from '../../http/routes/outcome.ts';
import type { Call, RouteTable } from '../../http/routes/route.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';
import { selectPage } from '../../lib/text/page.ts';
import { workspaceKind } from '../../records/workspace.ts';
import {
  type ExportState,
  type ExportStatus,
  formatArchiveName,
  isUnfinished,
  pendingExport,
} from '../../tiles/exports/export-job.ts';
import { act, del, family, get, getOpenFile, list, post, type Services } from '../common/services.ts';
import { type ExportView, tileExportDocument, tileExportListing } from './representation.ts';

const role = WORKSPACE_ADMINISTRATOR;

const GLOBAL = '/tileexports';
const collections = [GLOBAL, '/workspaces/:workspace/tileexports'] as const;

export function tileExportRoutes(): RouteTable<Services> {
  return family(
    'Tile exports',
    {
      description:
        'Jobs that write the tiles of a layer or group to a PMTiles or MBTiles file, for administrators of its layers. They are no part of the configuration.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'additions',
    },
    collections.flatMap((collection) => createRows(collection)),
  );
}

function createRows(collection: (typeof collections)[number]) {
  const one = `${collection}/:tileExport` as const;
  const inWorkspace: readonly ProblemCode[] =
    collection === GLOBAL ? [] : ['workspace-unknown', 'no-default-workspace'];
  const unknown: readonly ProblemCode[] = [...inWorkspace, 'tile-export-unknown'];
  return [
    list(
      collection,
      'List the tile exports',
      { returns: tileExportListing, role, problems: inWorkspace },
      async (call, page) => {
        const views = (await listViewed(call)).map((status) => toView(status, call));
        return { entries: selectPage(views, tileExportListing.getName, page) };
      },
    ),

    post(
      collection,
      'Start a tile export: its state changes from pending to running and finished, failed or cancelled',
      {
        accepts: tileExportDocument,
        returns: tileExportDocument,
        success: 202,
        role,
        rejectsUnknownQuery: true,
        problems: [
          ...inWorkspace,
          'tile-layer-unknown',
          'tile-style-unknown',
          'tile-format-unknown',
          'tile-grid-unknown',
          'tile-parameter-rejected',
          'tile-export-refused',
          'tile-export-foreign',
          'tile-export-too-large',
          'tile-export-empty',
          'tile-exports-full',
          'tile-exports-too-many',
        ],
      },
      async (call) => {
        const { services, principal, params, body } = call;
        const { workspace } = readParams(params);
        const order = await services.prepareTileExport(services, principal, {
          workspace,
          layer: body.layer ?? '',
          archive: body.archive ?? 'pmtiles',
          format: body.format ?? undefined,
          style: body.style ?? undefined,
          zoomStart: body.zoomStart ?? undefined,
          zoomStop: body.zoomStop ?? Number.NaN,
          bounds: body.bounds ?? undefined,
        });
        const job = await services.tileExports.prepare(order);
        await services.tileExports.add(job);
        const view = toView({ job, ...pendingExport }, call);
        return { location: view.path, resource: view, text: job.id };
      },
    ),

    get(
      one,
      'Read the state of a tile export',
      { returns: tileExportDocument, role, problems: unknown },
      async (call) => ({ resource: toView(await findExport(call), call) }),
    ),

    del(
      one,
      'Delete a tile export with its archive; a running one is stopped',
      { role, problems: unknown },
      async (call) => {
        const { job } = await findExport(call);
        await call.services.tileExports.remove(job.id);
      },
    ),

    act(
      `${one}/cancel`,
      'Stop a pending or running tile export',
      { role, rejectsUnknownQuery: true, problems: [...unknown, 'tile-export-state'] },
      async (call) => {
        const status = await findExport(call);
        requireState(status, isUnfinished(status), ['pending', 'running']);
        await call.services.tileExports.cancel(status.job.id);
      },
    ),

    act(
      `${one}/restart`,
      'Start a failed or cancelled tile export again',
      { role, rejectsUnknownQuery: true, problems: [...unknown, 'tile-export-state'] },
      async (call) => {
        const status = await findExport(call);
        const { state } = status;
        requireState(status, state === 'failed' || state === 'cancelled', ['failed', 'cancelled']);
        await call.services.tileExports.restart(status.job.id);
      },
    ),

    getOpenFile(
      `${one}/file`,
      'Download the archive of a finished tile export',
      {
        returns: tileExportDocument,
        role,
        endsInFileName: true,
        problems: [...unknown, 'tile-export-state', 'tile-export-file-missing', 'range-outside', 'storage-full'],
      },
      async (call): Promise<OpenFileResult> => {
        const status = await findExport(call);
        requireState(status, status.state === 'finished', ['finished']);
        const mediaType = status.job.archive === 'pmtiles' ? 'application/vnd.pmtiles' : 'application/vnd.sqlite3';
        const { file, sizeBytes } = await call.services.tileExports.open(status);
        const headers = { 'content-disposition': formatDisposition(formatArchiveName(status.job)) };
        return { openFile: { file, sizeBytes, mediaType }, version: status.finishedAtMs ?? 0, headers };
      },
    ),
  ];
}

function toView(status: ExportStatus, { params, restUrl }: Pick<Call<Services>, 'params' | 'restUrl'>): ExportView {
  const { workspace } = readParams(params);
  const path = [...(workspace === undefined ? [] : ['workspaces', workspace]), 'tileexports', status.job.id];
  return { status, path, fileUrl: `${restUrl}/${path.map(encodeURIComponent).join('/')}/file` };
}

/** Routes with and without a workspace have the same handlers. */
function readParams(params: unknown): { readonly workspace?: string; readonly tileExport?: string } {
  return params as ReturnType<typeof readParams>;
}

type ExportCall = Pick<Call<Services>, 'services' | 'principal' | 'params'>;

async function findExport(call: ExportCall): Promise<ExportStatus> {
  const { tileExport: id = '' } = readParams(call.params);
  const found = (await listViewed(call)).find(({ job }) => job.id === id);
  if (found === undefined) throw problem('tile-export-unknown', { id });
  return found;
}

/** Lists the exports of layers that the caller administers. Others are unknown to it. */
async function listViewed({ services, principal, params }: ExportCall): Promise<readonly ExportStatus[]> {
  const { catalog, access, tileExports } = services;
  const place = readParams(params).workspace;
  const home = place === undefined ? undefined : await findWorkspace(catalog, place);
  const permissions = await access.getPermissions(principal);
  const viewed: ExportStatus[] = [];
  for (const status of await tileExports.list()) {
    const { workspace, workspaces } = status.job;
    if (home !== undefined && workspace !== home.id) continue;
    const administers = async (id: string) => {
      const found = await catalog.get(workspaceKind, id);
      return found === undefined ? permissions.administersAll() : permissions.administers(found.name);
    };
    const isOwner = workspace === null ? permissions.administersAll() : await administers(workspace);
    const drawn = await Promise.all(workspaces.map(administers));
    if (isOwner && drawn.every((each) => each)) viewed.push(status);
  }
  return viewed;
}

function requireState({ state }: ExportStatus, isAllowed: boolean, allowed: readonly ExportState[]): void {
  if (!isAllowed) throw problem('tile-export-state', { state, allowed: allowed.join(' or ') });
}

/** Names in other alphabets are encoded (RFC 6266). */
function formatDisposition(name: string): string {
  const plain = name.replaceAll(/[^\w.-]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`;
}
