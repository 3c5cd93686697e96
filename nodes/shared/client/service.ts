import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest, ApiResponse, CallContext } from '../n8n/context';
import { download } from './download';
import { listAll, listPage, recordAt } from './records';
import { accountOf, serviceTime } from './request';
import { shownAt } from './allowed';

type RestOf<F> = F extends (context: CallContext, list: ApiRequest, ...rest: infer R) => unknown
	? R
	: never;

/** Reads from the service, bound to the context of a node. */
export class Service {
	constructor(private readonly context: CallContext) {}

	/** See `listPage`. */
	async page(list: ApiRequest, ...rest: RestOf<typeof listPage>) {
		return await listPage(this.context, list, ...rest);
	}

	/** See `listAll`. */
	async list(list: ApiRequest, ...rest: RestOf<typeof listAll>): Promise<IDataObject[]> {
		return await listAll(this.context, list, ...rest);
	}

	/** See `recordAt`. */
	async record(url: string): Promise<IDataObject | undefined> {
		return await recordAt(this.context, url);
	}

	/** See `download`. */
	async file(request: ApiRequest, mediaType?: string): Promise<ApiResponse> {
		return await download(this.context, request, mediaType);
	}

	/** See `accountOf`. */
	async account() {
		return await accountOf(this.context);
	}

	/** See `shownAt`. */
	async shownAt(path: string) {
		return await shownAt(this.context, path);
	}

	/** See `serviceTime`. */
	async time(url?: string): Promise<number | undefined> {
		return await serviceTime(this.context, url);
	}
}
