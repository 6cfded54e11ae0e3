/** The one table of everything that differs between our own interface and the reference server's wire habits. */
import type { WireDialect } from './http/wire-dialect.ts';

export type DialectName = 'graticule' | 'geoserver';

export interface Dialect extends WireDialect {
  readonly name: DialectName;
  /** Whether DELETE /workspaces/default removes the default workspace; otherwise 405. */
  readonly deletesDefaultWorkspace: boolean;
  /** Whether PUT /namespaces/{prefix} may carry another prefix, which renames the workspace too; otherwise 403. */
  readonly renamesNamespaces: boolean;
}

export const dialects: Readonly<Record<DialectName, Dialect>> = {
  graticule: {
    name: 'graticule',
    defaultFormat: { catalog: 'xml', contents: 'html' },
    emptyJsonList: 'array',
    singleJsonItem: 'array',
    listingLinkType: 'application/xml',
    errorBodies: 'negotiated',
    statuses: {},
    deletesDefaultWorkspace: false,
    renamesNamespaces: true,
  },
  geoserver: {
    name: 'geoserver',
    defaultFormat: { catalog: 'json', contents: 'html' },
    emptyJsonList: 'empty string',
    singleJsonItem: 'bare item',
    listingLinkType: 'application/atom+xml',
    errorBodies: 'plain text',
    statuses: { 'namespace-not-empty': 401, 'name-emptied': 403 },
    deletesDefaultWorkspace: true,
    renamesNamespaces: false,
  },
};
