/** Problems with users, groups, roles and passwords. */
import { defineProblemKind } from '../kind.ts';

export const accountProblems = {
  'user-group-service-unknown': defineProblemKind(
    404,
    'No user/group service has that name.',
    (d: { name: string }) => `No such user/group service: '${d.name}'.`,
  ),
  'user-group-service-exists': defineProblemKind(
    409,
    'A user/group service of that name already exists.',
    (d: { name: string }) => `A user/group service named '${d.name}' already exists.`,
  ),
  'user-group-service-fixed': defineProblemKind(
    403,
    'The server requires the user/group service.',
    (d: { name: string }) => `The user/group service '${d.name}' cannot be deleted.`,
  ),
  'user-unknown': defineProblemKind(
    404,
    'No user has that name.',
    (d: { name: string }) => `No such user: '${d.name}'.`,
  ),
  'user-exists': defineProblemKind(
    409,
    'A user of that name already exists.',
    (d: { name: string }) => `A user named '${d.name}' already exists.`,
  ),
  'administrator-fixed': defineProblemKind(
    403,
    'The built-in administrator cannot be deleted, disabled or added to groups.',
    (d: { what: string }) => `The built-in administrator cannot be ${d.what}.`,
  ),
  'group-unknown': defineProblemKind(
    404,
    'No group has that name.',
    (d: { name: string }) => `No such group: '${d.name}'.`,
  ),
  'group-exists': defineProblemKind(
    409,
    'A group of that name already exists.',
    (d: { name: string }) => `A group named '${d.name}' already exists.`,
  ),
  'role-service-unknown': defineProblemKind(
    404,
    'No role service has that name.',
    (d: { name: string }) => `No such role service: '${d.name}'.`,
  ),
  'role-unknown': defineProblemKind(
    404,
    'No role has that name.',
    (d: { name: string }) => `No such role: '${d.name}'.`,
  ),
  'role-exists': defineProblemKind(
    409,
    'A role of that name already exists.',
    (d: { name: string }) => `A role named '${d.name}' already exists.`,
  ),
  'role-fixed': defineProblemKind(
    403,
    'The server requires the role, or assigns it itself.',
    (d: { name: string; what: string }) => `The role '${d.name}' cannot be ${d.what}.`,
  ),
  'password-missing': defineProblemKind(
    400,
    'The request has no new password.',
    (d: { member: string }) => `The new password is missing. Send it as '${d.member}'.`,
  ),
  'password-unacceptable': defineProblemKind(
    422,
    'The password is invalid.',
    (d: { reason: string }) => `The password is invalid: ${d.reason}.`,
  ),
  'password-elsewhere': defineProblemKind(
    422,
    'The password of the user is stored in a directory.',
    () => 'Your password is stored in a directory, not on this server. Change it in the directory.',
  ),
  'keystore-password-wrong': defineProblemKind(
    422,
    'The old keystore password is wrong.',
    () => 'The keystore password was not changed: oldMasterPassword is wrong.',
  ),
  'keystore-password-weak': defineProblemKind(
    422,
    'The new keystore password is too short, too long, equal to the old one, or contains invalid characters.',
    (d: { reason: string }) =>
      `The keystore password was not changed: newMasterPassword is invalid, because ${d.reason}.`,
  ),
  'server-key-external': defineProblemKind(
    409,
    'The server key is not in the data directory, so that the server cannot replace it.',
    () =>
      'The server key was not replaced, because this server reads it from its settings. Start each node with a new --server-key-file, and with the old key in --previous-server-keys-file.',
  ),
  'server-key-in-use': defineProblemKind(
    409,
    'Active nodes still use a previous server key.',
    (d: { nodes: readonly string[] }) =>
      `The previous server keys were not removed, because these nodes use another server key: ${d.nodes.join(', ')}. Restart them with the current key.`,
  ),
  'server-key-missing': defineProblemKind(
    409,
    'The keystore accepts a server key that this node does not have.',
    (d: { keys: readonly string[] }) =>
      `The keystore was not changed, because it also accepts server keys that this node does not have: ${d.keys.join(', ')}. Finish the rotation of the server key first: POST /security/keystore/finish.`,
  ),
  'keystore-nodes-behind': defineProblemKind(
    503,
    'Active nodes have not loaded the new data key of the keystore in time.',
    (d: { nodes: readonly string[] }) =>
      `The data key was not replaced yet, because these nodes have not loaded it: ${d.nodes.join(', ')}. Check that they run this version, then repeat the request.`,
  ),
} as const;
