import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { actionNodes } from './engine';
import { anyId } from './reference';

/** An operation as the built nodes describe it. */
export interface BuiltOperation {
	/** `backup/backup/restore` */
	name: string;
	action: string;
	/** As the node has it: `POST /sites/{siteId}/backups/{snapshotId}/restore`. */
	url: string;
	/** `POST /sites/{}/backups/{}/restore`: the names of the ids do not matter. */
	route: string;
	/** What its panel shows. */
	fields: INodeProperties[];
}

/** One whose request is in its parameters is no operation of the API. */
const isOperation = ({ routing }: INodePropertyOptions) =>
	!String(routing!.request!.url).startsWith('=');

export async function builtOperations(): Promise<BuiltOperation[]> {
	return (await actionNodes()).flatMap(({ name: node, properties }) =>
		properties
			.filter(({ name }) => name === 'operation')
			.flatMap((selector) => {
				const [resource] = selector.displayOptions!.show!.resource as string[];
				const options = (selector.options as INodePropertyOptions[]).filter(isOperation);
				return options.map(({ value, action, routing }) => {
					const url = `${routing!.request!.method!} ${String(routing!.request!.url)}`;
					return {
						name: `${node}/${resource}/${String(value)}`,
						action: action!,
						url,
						route: anyId(url),
						fields: properties.filter(
							({ displayOptions: { show } = {} }) =>
								!show?.['@tool'] &&
								show?.resource?.includes(resource!) &&
								show.operation?.includes(value),
						),
					};
				});
			}),
	);
}
