import type { ApiResponse } from '../n8n/context';
import { rateHeaders } from './rateHeaders';

/** In which form an answer may come, and who is told of what differs from the reference. */
export interface Form {
	/** Whether the service itself answered: from anybody else only the form of the reference is taken. */
	isOfService: boolean;
	/** @param difference in plain words, with names of keys and no values: `the list has no meta` */
	note(difference: string): void;
}

/** Only the form of the reference. */
export const STRICT: Form = { isOfService: false, note: () => undefined };

/** Whether a rate-limit header is there, which the service puts on every response. Source: Part A, 8. */
export function hasRateLimit({ statusCode, headers }: Omit<ApiResponse, 'body'>): boolean {
	const { limit, remaining, resetMs } = rateHeaders(statusCode, headers);
	return [limit, remaining, resetMs].some((value) => value !== undefined);
}

/** No content, however the HTTP client says that. */
export const isEmpty = (body: unknown) => body === undefined || body === null || body === '';

/** Whether the service itself gave an answer, and not something between: by its headers, and JSON or nothing. */
export const isOfService = (answer: ApiResponse): boolean =>
	hasRateLimit(answer) && (isEmpty(answer.body) || typeof answer.body === 'object');
