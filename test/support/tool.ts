import type { INode, INodeParameters, INodeType } from 'n8n-workflow';
import { NodeConnectionTypes, NodeHelpers, Workflow } from 'n8n-workflow';

/** How n8n names a node that is a tool of an agent, and what a model reads of it. */
export function toolOf({ description: own }: INodeType, chosen: INodeParameters) {
	const description = {
		...own,
		name: `${own.name}Tool`,
		inputs: [],
		outputs: [NodeConnectionTypes.AiTool],
	};
	const { properties } = description;
	const parameters = NodeHelpers.getNodeParameters(
		properties,
		chosen,
		true,
		false,
		null,
		description,
	)!;
	const type = { description } as INodeType;
	const node = nodeOf(description.name, parameters);
	const text = parameters.toolDescription as string;
	return {
		name: NodeHelpers.makeNodeName(parameters, description),
		description: NodeHelpers.getToolDescriptionForNode(node, type, () =>
			String(evaluated(text, node, type)),
		),
	};
}

/** A node of which nothing but the parameters is known. */
export const nodeOf = (type: string, parameters: object) =>
	({ id: 'a', name: 'A', type, typeVersion: 1, position: [0, 0], parameters }) as INode;

/** A text of a node as n8n evaluates it. */
export function evaluated(text: string | undefined, node: INode, type?: INodeType) {
	const { expression } = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: { getByNameAndVersion: () => type } as never,
	});
	return expression.getSimpleParameterValue(node, text, 'internal', {});
}
