/** The error catalogue: every known failure once, with its stable code, its status and its sentence. */
import type { CommonDetails } from './problem.ts';
import { accessProblems } from './problem-kinds/access.ts';
import { accessRuleProblems } from './problem-kinds/access-rules.ts';
import { accountProblems } from './problem-kinds/accounts.ts';
import { authProviderProblems } from './problem-kinds/auth-providers.ts';
import { databaseProblems } from './problem-kinds/databases.ts';
import { gateProblems } from './problem-kinds/gates.ts';
import { keystoreProblems } from './problem-kinds/keystore.ts';
import { operationsProblems } from './problem-kinds/operations.ts';
import { regexProblems } from './problem-kinds/regex.ts';
import { requestProblems } from './problem-kinds/request.ts';
import { serverProblems } from './problem-kinds/server.ts';
import { storeProblems } from './problem-kinds/stores.ts';
import { styleEntryProblems } from './problem-kinds/style-entries.ts';
import { styleProblems } from './problem-kinds/styles.ts';
import { uploadProblems } from './problem-kinds/uploads.ts';
import { urlCheckProblems } from './problem-kinds/url-checks.ts';
import { vectorProblems } from './problem-kinds/vector.ts';
import { virtualTableProblems } from './problem-kinds/virtual-tables.ts';
import { workerProblems } from './problem-kinds/workers.ts';
import { workspaceProblems } from './problem-kinds/workspaces.ts';

export const problemKinds = {
  ...requestProblems,
  ...accessProblems,
  ...authProviderProblems,
  ...accountProblems,
  ...keystoreProblems,
  ...accessRuleProblems,
  ...serverProblems,
  ...workerProblems,
  ...regexProblems,
  ...operationsProblems,
  ...urlCheckProblems,
  ...gateProblems,
  ...storeProblems,
  ...uploadProblems,
  ...databaseProblems,
  ...workspaceProblems,
  ...vectorProblems,
  ...virtualTableProblems,
  ...styleProblems,
  ...styleEntryProblems,
} as const;

export type ProblemCode = keyof typeof problemKinds;

export type ProblemDetails<C extends ProblemCode> = Parameters<(typeof problemKinds)[C]['message']>[0] extends infer D
  ? unknown extends D
    ? CommonDetails
    : D
  : never;
