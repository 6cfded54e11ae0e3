/** The documents of webhooks. */

export interface Webhook {
  readonly name: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly kinds: readonly string[];
  readonly paths: readonly string[];
  readonly expand: boolean;
  readonly position: number;
  readonly failure: {
    readonly since: string;
    readonly attempts: number;
    readonly status: number | null;
    readonly message: string;
  } | null;
}

export interface WebhookDocument {
  readonly webhook: Webhook;
}

/** An empty list is an empty text. */
export interface WebhookList {
  readonly webhooks: '' | { readonly webhook: readonly { readonly name: string }[] };
}

export interface DeliveriesDocument {
  readonly deliveries: readonly {
    readonly event: number;
    readonly at: string;
    readonly attempt: number;
    readonly status: number | null;
    readonly ms: number;
    readonly message?: string;
  }[];
}
