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
	const filled = NodeHelpers.getNodeParameters(properties, chosen, true, false, null, description)!;
	const type = { description } as INodeType;
	const node = {
		...{ id: 'a', name: 'A', type: description.name, typeVersion: 1 },
		position: [0, 0],
		parameters: filled,
	} as INode;
	return {
		name: NodeHelpers.makeNodeName(filled, description),
		description: NodeHelpers.getToolDescriptionForNode(node, type, () => evaluated(node, type)),
	};
}

/** The text as n8n evaluates it when it makes the tool. */
function evaluated(node: INode, type: INodeType): string {
	const { expression } = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: { getByNameAndVersion: () => type } as never,
	});
	const text = node.parameters.toolDescription as string;
	return String(expression.getSimpleParameterValue(node, text, 'internal', {}));
}
