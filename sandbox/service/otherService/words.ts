import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { basePath } from '../http/options';

/** Texts between the words of the reference and those of the service. */
export interface Wording {
	/** The address of a request, in the words of the reference. */
	addressed(url: string): string;
	/** The JSON of a request, in the words of the reference. */
	heard(json: string): string;
	/** The JSON of an answer, in the words of the service. */
	said(json: string): string;
}

/** Asks for the words of the reference: who prepares a test, and looks at what came of it, knows no others. */
export const PLAIN = 'x-sandbox-plain-words';

const isPlain = ({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>) =>
	PLAIN in headers || !url.startsWith(basePath);

/** The address of a request in the words of the reference. */
export const urlHeard = (request: IncomingMessage, wording?: Wording): string =>
	!wording || isPlain(request) ? request.url! : wording.addressed(request.url!);

/** The body of a request in the words of the reference. */
export const bodyHeard = (request: FastifyRequest, text: string, wording?: Wording): string =>
	!wording || isPlain(request) ? text : wording.heard(text);

/** Has the answers of the operations go out in the words of the service. */
export function sayIn(wording: Wording, api: FastifyInstance): void {
	api.addHook('onSend', async (request, _reply, payload) =>
		typeof payload === 'string' && !isPlain(request) ? wording.said(payload) : payload,
	);
}
