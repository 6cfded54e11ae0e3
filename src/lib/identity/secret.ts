/**
 * Text that is never shown, although it is sealed or hashed: a field of this type makes the kind of its record declare
 * it secret, or nothing compiles. At run time it is plain text, as it is stored.
 */
declare const isSecret: unique symbol;

export interface Secret {
  readonly [isSecret]: true;
}

export function toSecret(text: string): Secret {
  return text as unknown as Secret;
}

/** What things are called that are secrets, whoever uses them. */
const secretName = /pass(?:$|w|phrase)|pwd|pw$|^pin$|secret|token|credential|key|auth|bearer|signature/i;

/** Whether a parameter of that name may be a secret, where nobody knows more of it. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** For whoever checks or opens it. */
export function revealSecret(secret: Secret): string {
  return secret as unknown as string;
}
