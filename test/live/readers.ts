import { Readable } from 'node:stream';
import type { INode } from 'n8n-workflow';
import type { Operation } from '../../nodes/shared/operation/index';
import { recordsOf, WrongAnswer } from '../../nodes/shared/receive/answer';
import { statusError } from '../../nodes/shared/receive/errors';
import { checkFile } from '../../nodes/shared/receive/file';
import type { Form } from '../../nodes/shared/receive/origin';
import { isOfService } from '../../nodes/shared/receive/origin';
import { pageOf } from '../../nodes/shared/receive/pages';
import type { ApiResponse } from '../../nodes/shared/n8n/context';
import type { Answer } from './guard';

/** The nodes' own readers, called as the nodes call them: the one file here that knows their signatures. */

const responseOf = ({ status, headers, body }: Answer): ApiResponse =>
	({ statusCode: status, headers, body }) as ApiResponse;

/** What a node does with a successful answer. */
export interface Taken {
	/** Why it would refuse it; nothing when it takes it. */
	refusal?: string;
	/** What it would report of its form. */
	notes: string[];
}

/** @param asked the path and query of the request */
export async function takenAs(
	{ answer: expected, route }: Operation,
	answer: Answer,
	asked: { path: string; query: Record<string, string> },
): Promise<Taken> {
	const response = responseOf(answer);
	const isFile = expected.kind === 'file';
	const notes: string[] = [];
	const form: Form = {
		isOfService: isOfService(isFile ? { ...response, body: {} } : response),
		note: (difference) => void notes.push(difference),
	};
	try {
		if (isFile) {
			const body = Readable.from([Buffer.from(String(answer.body))]);
			await checkFile({ ...response, body } as ApiResponse, expected.file, form);
		} else if (expected.kind === 'list') {
			const { page = 1, perPage = 100 } = asked.query;
			const of = { page: Number(page), perPage: Number(perPage), mayLackOne: true };
			pageOf(expected.wrapper, response, of, form);
		} else {
			const lastId = route.endsWith('}') ? asked.path.split('/').pop() : undefined;
			recordsOf(expected, response, { lastId, isRead: true }, form);
		}
		return { notes };
	} catch (error) {
		if (error instanceof WrongAnswer) return { refusal: error.message, notes };
		throw error;
	}
}

/** Whether a node tells the reason that an error gives. */
export function tellsReason(answer: Answer): boolean {
	const node = { name: 'Check', type: 'check', typeVersion: 1 } as INode;
	const errorContext = { secrets: [], isChange: false, path: '', verifyAt: '', baseUrl: '' };
	const { message, description } = statusError(node, responseOf(answer), errorContext);
	const told = `${message} ${description ?? ''}`;
	return textsIn(answer.body).some((text) => told.includes(text.slice(0, 40)));
}

/** The sentences in a body. */
function textsIn(body: unknown): string[] {
	if (typeof body === 'string') return /\S\s+\S/.test(body) ? [body.trim()] : [];
	if (typeof body !== 'object' || body === null) return [];
	return Object.values(body).flatMap(textsIn);
}
