/** What can go wrong with users, groups, roles and passwords. */
import { defineProblemKind } from '../kind.ts';

export const accountProblems = {
  'user-group-service-unknown': defineProblemKind(
    404,
    'There is no user/group service of that name.',
    (d: { name: string }) => `No such user/group service: '${d.name}'.`,
  ),
  'user-group-service-exists': defineProblemKind(
    409,
    'A user/group service of that name exists already.',
    (d: { name: string }) => `A user/group service named '${d.name}' already exists.`,
  ),
  'user-group-service-fixed': defineProblemKind(
    403,
    'The user/group service is one the server cannot do without.',
    (d: { name: string }) => `The user/group service '${d.name}' cannot be deleted.`,
  ),
  'user-unknown': defineProblemKind(
    404,
    'There is no user of that name.',
    (d: { name: string }) => `No such user: '${d.name}'.`,
  ),
  'user-exists': defineProblemKind(
    409,
    'A user of that name exists already.',
    (d: { name: string }) => `A user named '${d.name}' already exists.`,
  ),
  'administrator-fixed': defineProblemKind(
    403,
    'The built-in administrator cannot be deleted, disabled or put into groups.',
    (d: { what: string }) => `The built-in administrator cannot be ${d.what}.`,
  ),
  'group-unknown': defineProblemKind(
    404,
    'There is no group of that name.',
    (d: { name: string }) => `No such group: '${d.name}'.`,
  ),
  'group-exists': defineProblemKind(
    409,
    'A group of that name exists already.',
    (d: { name: string }) => `A group named '${d.name}' already exists.`,
  ),
  'role-service-unknown': defineProblemKind(
    404,
    'There is no role service of that name.',
    (d: { name: string }) => `No such role service: '${d.name}'.`,
  ),
  'role-unknown': defineProblemKind(
    404,
    'There is no role of that name.',
    (d: { name: string }) => `No such role: '${d.name}'.`,
  ),
  'role-exists': defineProblemKind(
    409,
    'A role of that name exists already.',
    (d: { name: string }) => `A role named '${d.name}' already exists.`,
  ),
  'role-fixed': defineProblemKind(
    403,
    'The role is one the server needs, or gives by itself.',
    (d: { name: string; what: string }) => `The role '${d.name}' cannot be ${d.what}.`,
  ),
  'password-missing': defineProblemKind(
    400,
    'No new password was sent.',
    (d: { member: string }) => `The new password is missing: '${d.member}' was expected.`,
  ),
  'password-unacceptable': defineProblemKind(
    422,
    'The password cannot be used.',
    (d: { reason: string }) => `This password cannot be used: ${d.reason}.`,
  ),
  'password-elsewhere': defineProblemKind(
    422,
    'The password of the user is not kept by this server.',
    () => 'Your password is kept in a directory and not by this server; change it there.',
  ),
  'keystore-password-wrong': defineProblemKind(
    422,
    'The old keystore password that was sent is not the current one.',
    () => 'The keystore password was not changed: oldMasterPassword is not the current one.',
  ),
  'keystore-password-weak': defineProblemKind(
    422,
    'The new keystore password is too short, too long, the same as the old one, or cannot be shown.',
    (d: { reason: string }) =>
      `The keystore password was not changed: newMasterPassword cannot be used, since ${d.reason}.`,
  ),
} as const;
