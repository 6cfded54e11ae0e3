/** The options that determine the archive. */

import type { Json } from '../../../lib/json/value.ts';
import type { Rejections } from '../archive/archive.ts';
import type { DataCopies } from '../copy/data-copies.ts';
import type { TargetChange } from '../previous/previous-moves.ts';
import type { PathReplacement } from '../read/source-paths.ts';
import type { Renames } from './renames.ts';

export interface MoveOptions {
  readonly only: readonly string[];
  readonly renames: Renames;
  readonly paths: readonly PathReplacement[];
  /** By the name of the JNDI resource. */
  readonly databases: ReadonlyMap<string, DatabaseAddress>;
  /** Values of fields by configuration path. */
  readonly secrets: ReadonlyMap<string, Readonly<Record<string, Json>>>;
  /** Whether placeholders and secrets become `$env` members instead of values. */
  readonly keepsPlaceholders: boolean;
  /** Whether the archive contains secrets in clear text. */
  readonly withSecrets: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly addsUrlChecks: boolean;
  readonly opensRestRules: boolean;
  readonly masterPassword: string | undefined;
  /** The base URL of the target; `proxyBaseUrl` must end in its context path. Undefined without a target. */
  readonly contextPath: string | undefined;
  /** The URL checks of the target. */
  readonly targetUrlChecks: readonly string[];
  readonly rejections: Rejections;
  /** Resources that the target keeps as they are. */
  readonly kept?: ReadonlyMap<string, TargetChange> | undefined;
  /** The data that is copied; undefined if stores refer to it. */
  readonly copies?: DataCopies | undefined;
}

export interface DatabaseAddress {
  readonly host: string;
  readonly port: string;
  readonly database: string;
  readonly user: string;
}
