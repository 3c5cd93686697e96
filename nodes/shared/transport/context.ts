import type {
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';

export const CREDENTIAL = 'siteManagementApi';

/** What n8n hands to action nodes, list searches and triggers alike. */
export type Context = IExecuteSingleFunctions | ILoadOptionsFunctions | IPollFunctions;

/** The fields of the credential, as the user filled them in. */
export interface Credential {
	baseUrl: string;
	apiToken: string;
	/** Own cap in requests per minute; 0 or empty means none. */
	requestsPerMinute?: number;
}

/** A request below the base URL: `url` is the path, such as `/tags/7`. */
export type ApiRequest = Pick<IHttpRequestOptions, 'method' | 'url'> & Partial<IHttpRequestOptions>;

export type ApiResponse = IN8nHttpFullResponse;

/** Present on execution contexts only: aborts when the user stops the execution. */
export function cancelSignal(context: Context): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}
