/** The client of tables, for `context.db`. `npm run build:client` makes it of client/src/in-function.ts. */
async function ee(e,n,t,s={}){let o=[],a=new Map,d=(r,i)=>{let u=`o${o.length}`,f=Re(u);return a.set(
f,o.length),o.push(i?{...r,as:u}:r),f},l=new Proxy({},{get:(r,i)=>Ae(String(i),d)}),c=t(l),y=new Set(
JSON.stringify(o).match(/(?<="\$":")o\d+/g)),m=await e.json({method:"POST",path:n,body:o.map(({as:r,
...i})=>r!==void 0&&y.has(r)?{...i,as:r}:i),query:{dry_run:s.dryRun||void 0},key:s.idempotencyKey??!0,
signal:s.signal}),p=r=>m.data[a.get(r)??-1]?.data??null;if(a.has(c))return p(c);if(!(typeof c!="obje\
ct"||c===null))return Array.isArray(c)?c.map(p):Object.fromEntries(Object.entries(c).map(([r,i])=>[r,
p(i)]))}var Ae=(e,n)=>({create:t=>n({op:"create",table:e,data:t},!0),update:(t,s,o={})=>n({op:"updat\
e",table:e,id:Z(t),data:s,...v(o)},!0),upsert:(t,{uniqueFields:s,...o})=>n({op:"upsert",table:e,unique_fields:s,
data:t,...v(o)},!0),delete:(t,s={})=>n({op:"delete",table:e,id:Z(t),...v(s)},!1),createEdge:t=>n({op:"\
create_edge",table:e,data:t},!1),deleteEdge:t=>n({op:"delete_edge",table:e,id:t},!1)}),v=e=>({...e.ifMatch===
void 0?{}:{if_match:e.ifMatch},...e.includeDeleted?{include_deleted:!0}:{},...e.hard?{hard_delete:!0}:
{}}),Z=e=>typeof e=="object"&&"$"in e?{$:e.$}:e,Re=e=>new Proxy({},{get:(n,t)=>typeof t=="string"?{$:`${e}\
.${t}`}:void 0});function ne(e){let n=typeof e=="object"?e.map(te).join(","):je(String(e));if(n===""||n==="."||n===".\
.")throw new TypeError(`"${n}" is not the key of a record.`);return encodeURIComponent(n)}var x=e=>e.
flat().map(te).join(","),te=e=>{let n=String(e);return/[",]|^$/.test(n)?re(n):n},je=e=>e.startsWith(
'"')?re(e):e,re=e=>`"${e.replaceAll('"','""')}"`;var k=e=>({...S(e),...M(e),page:e.page,page_size:e.pageSize,limit:e.limit,offset:e.offset,after:e.after,
before:e.before,_total:e.total,_rank:b(e.rank),_highlight:P(e.highlight)}),M=e=>({filters:e.where&&q(
e.where),search:e.search,_language:e.language,_fuzzy:b(e.fuzzy),ordering:P(e.ordering),_distinct:P(e.
distinct),only_deleted:b(e.onlyDeleted),include_deleted:b(e.includeDeleted),as_of:se(e.asOf)}),S=e=>({
fields:P(e.fields),populate:Pe(e.populate),_annotate:e.annotate&&W(e.annotate),include_deleted:b(e.includeDeleted),
as_of:se(e.asOf)}),q=e=>Object.keys(e).length===0?void 0:JSON.stringify(e);function L(e,{expect:n,limit:t,
all:s}){let o=JSON.stringify(e,(d,l)=>{if(l===void 0)throw new TypeError(`The filter "${d}" has no v\
alue: it is undefined.`);return l});return{filter:s===!0&&Object.keys(e).length===0?void 0:o,expect:n,
limit:t,all:b(s)}}var W=e=>Object.entries(e).map(([n,t])=>`${typeof t=="string"?t:t.expression} as ${n}`).
join(",");var b=e=>e===!0?!0:void 0,P=e=>e?.join(","),se=e=>e instanceof Date?e.toISOString():e;function Pe(e){
if(e!==void 0)return Array.isArray(e)?e.join(","):JSON.stringify(oe(e))}var oe=e=>Object.fromEntries(
Object.entries(e).map(([n,t])=>[n,Se(t)])),Se=({where:e,ordering:n,fields:t,populate:s,...o})=>({...o,
...e?{filters:e}:{},...n?{ordering:n.join(",")}:{},...t?{fields:t.join(",")}:{},...s?{populate:Array.
isArray(s)?s.join(","):oe(s)}:{}});function ie(e,n){let t=(s,o,a,d)=>e.json({method:s,path:o,query:{dry_run:d.dryRun||void 0},body:a,key:d.
idempotencyKey??!0,signal:d.signal});return{async list({from:s,to:o,types:a,page:d,pageSize:l,total:c,
signal:y}={}){let p={...{from_id:s&&x(s),to_id:o&&x(o)},types:a?.join(","),page:d,page_size:l,_total:c},
r=await e.json({path:n,query:p,signal:y});return{data:r.results,total:r.total}},async create(s,o={}){
return(await t("POST",n,s,o)).results},async replace(s,o,a={}){let d=`${n}${encodeURIComponent(s)}/`;
return(await t("PATCH",d,o,a)).data},async delete(s,o={}){return(await t("DELETE",n,{edge_ids:s},o)).
deleted}}}function ae(e,n,t){let s=(o,a,d)=>e.json({path:o===void 0?n:t(o),query:{...d,depth:a.depth,
relationship_type:a.types?.join(","),filters:a.where&&q(a.where),fields:a.fields?.join(","),ordering:a.
ordering?.join(",")},signal:a.signal});return{async walk(o,a,d={}){let{data:l,...c}=await s(o,d,{include:a});
return{record:l,related:c}},async tree(o={}){let{from:a,include:d,...l}=o;return[(await s(a,l,{format:"\
tree",...d?{include:d}:{}})).data].flat()},async graph(o={}){let{from:a,include:d,...l}=o,c={format:"\
graph",...d?{include:d}:{}};return(await s(a,l,c)).data}}}async function*de(e){let n="";for await(let t of ce(e)){let s=(n+t).split(`
`);n=s.pop()??"";for(let o of s)o.trim()!==""&&(yield JSON.parse(o))}n.trim()!==""&&(yield JSON.parse(
n))}var A=/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/y;async function*ue(e){let n="",t=[];for await(let s of ce(
e)){n+=s,A.lastIndex=0;let o=0;for(let a=A.exec(n);a;a=A.exec(n)){let[,d,l,c]=a;t.push(d===void 0?l||
null:d.replaceAll('""','"')),o=A.lastIndex,c!==","&&(yield t,t=[],A.lastIndex=o)}n=n.slice(o)}if(n!==
"")throw new Error("The CSV ends within a row.")}async function*ce({body:e}){if(!e)return;let n=e.getReader(),
t=new TextDecoder;try{for(;;){let{done:s,value:o}=await n.read();if(yield t.decode(o,{stream:!s}),s)
return}}finally{await n.cancel().catch(()=>{})}}async function _({transport:e,path:n},t){let{signal:s}=t,{data:o,total:a,page:d,page_size:l,meta:c}=await e.
json({path:n,query:k(t),signal:s}),{has_more:y,total_is:m,next:p=null,previous:r=null}=c;return{data:o,
total:a,totalIs:m,page:d,pageSize:l,hasMore:y,next:p,previous:r}}async function*D(e,n){let{after:t=""}=n;
for(;;){let s=await _(e,{...n,after:t});if((s.data.length>0||t==="")&&(yield s),s.next===null)return;
t=s.next}}var _e=500;async function*le(e,n){let{pageSize:t=_e,total:s="none"}=n,o={...n,pageSize:t,total:s};
for await(let{data:a}of D(e,o))yield*a}function fe(e,n){let t=`${n}data/`,s={transport:e,path:t},o=r=>`${t}${ne(r)}/`,a=(r,i,u,f,g={})=>e.json(
{method:r,path:i,query:{...g,dry_run:f.dryRun||void 0},body:u,key:f.idempotencyKey??!0,signal:f.signal}),
d=(r,i,u,f,g)=>e.json({method:r,path:o(i),query:{...g,include_deleted:f.includeDeleted||void 0,dry_run:f.
dryRun||void 0},body:u,key:f.idempotencyKey??!0,signal:f.signal,headers:f.ifMatch===void 0?{}:{"if-m\
atch":f.ifMatch}}),l=async r=>(await r).data;async function c(r,i,u,f,g){let h=f.atomic===!1?{atomic:!1}:
{},O=await a(r,i,u,f,{...g,...h});return{data:O.data??[],ignored:O.ignored??[],failed:O.failed??[]}}
async function y(r,i={}){return l(e.json({path:o(r),query:S(i),signal:i.signal}))}let m=(r,i)=>e.send(
{path:t,query:k(i),headers:{accept:r},signal:i.signal}),p=({values:r,by:i,having:u,ordering:f,...g})=>({
...k({...g,ordering:f}),_aggregate:W(r),_group_by:i?.join(","),_having:u?.join(",")});return{list:(r={})=>_(
s,r),pages:(r={})=>D(s,r),each:(r={})=>le(s,r),search:(r,i={})=>_(s,{...i,search:r}),get:y,async getWithETag(r,i={}){
let u={path:o(r),query:S(i),signal:i.signal},f=await e.send(u),{data:g}=await f.json();return{data:g,
etag:f.headers.get("etag")}},async find(r,i={}){try{return await y(r,i)}catch(u){if(u instanceof Error&&
"status"in u&&u.status===404)return;throw u}},async count(r={}){let i={...M(r),_count:!0,_total:r.total};
return(await e.json({path:t,query:i,signal:r.signal})).total},async aggregate(r){let i=p(r),u={path:t,
query:i,signal:r.signal};return(await e.json(u)).aggregates},groups:r=>Ee(e,t,p(r),r.signal),async*stream(r={}){
yield*de(await m("application/x-ndjson",r))},async*csv(r={}){yield*ue(await m("text/csv",r))},create:(r,i={})=>l(
a("POST",t,r,i)),createMany:(r,i={})=>c("POST",t,r,i,{on_conflict:i.onConflict}),update:(r,i,u={})=>l(
d("PATCH",r,i,u)),updateMany:(r,i={})=>c("PATCH",t,r,i,{}),async updateWhere(r,i,u={}){let f={...L(r,
u),return:"minimal"};return(await a("PATCH",t,i,u,f)).updated_count},replace:(r,i,u={})=>l(d("PUT",r,
i,u)),async upsert(r,{uniqueFields:i,...u}){let f={unique_fields:i.join(",")},g=await a("POST",`${t}\
upsert/`,r,u,f);return{data:g.data,created:g.created}},upsertMany:(r,{uniqueFields:i,...u})=>c("POST",
`${t}upsert/`,r,u,{unique_fields:i.join(",")}),async delete(r,i={}){await d("DELETE",r,void 0,i,{hard_delete:i.
hard||void 0})},async deleteMany(r,i={}){let u={ids:x(r),hard_delete:i.hard||void 0};return(await a(
"DELETE",t,void 0,i,u)).deleted},async deleteWhere(r,i={}){let u={...L(r,i),hard_delete:i.hard||void 0};
return(await a("DELETE",t,void 0,i,u)).deleted},history:(r,{page:i,pageSize:u,ordering:f,operation:g,
signal:h}={})=>e.json({path:`${o(r)}history/`,query:{page:i,page_size:u,ordering:f,operation:g},signal:h}),
restore:(r,i,u={})=>l(a("POST",`${o(r)}restore/${encodeURIComponent(i)}/`,void 0,u)),edges:ie(e,`${n}\
edges/`),...ae(e,t,o)}}async function Ee(e,n,t,s){let o=await e.json({path:n,query:t,signal:s});return{
data:o.data,total:o.total,hasMore:o.meta.has_more}}function ye(e,n,t,s=()=>({})){let o=`/api/apps/${encodeURIComponent(n)}/`,a=new Map,d=c=>{let y=a.get(
c)??fe($e(e,m=>t(n,c,m)),`${o}datatables/${encodeURIComponent(c)}/`);return a.set(c,y),y},l=new Map(
[["$batch",(c,y)=>ee(e,`${o}batch/`,c,y)],["$table",d],...Object.entries(s(o)),["then",void 0]]);return new Proxy(
{},{get:(c,y)=>typeof y!="string"||l.has(y)?l.get(String(y)):d(y)})}function $e(e,n){let t=async s=>{
let o=await e.send(s);return n(o),o};return{session:e.session,send:t,async json(s){let o=await(await t(
s)).text();return o===""?void 0:JSON.parse(o)}}}var w=class extends Error{name="TesseraError";status;code;body;messages;requestId;retryAfterSeconds;constructor({
method:n,path:t,status:s,body:o,headers:a}){let d=Ie(o),l=Object.entries(d).flatMap(([c,y])=>y.map(m=>c?
`${c}: ${m}`:m));super(`${n} ${t} answered ${s}${l.length>0?`: ${l.join(" ")}`:""}`),this.status=s,this.
code=a.get("x-error-code")??"unknown",this.body=o,this.messages=d,this.requestId=a.get("x-request-id"),
this.retryAfterSeconds=G(a.get("retry-after"))}},V=class extends w{name="InvalidRequestError"},R=class extends w{name="\
UnauthenticatedError"},B=class extends w{name="ForbiddenError"},E=class extends w{name="NotFoundErro\
r"},N=class extends w{name="ConflictError"},H=class extends w{name="StaleError"},$=class extends w{name="\
UnprocessableError"},z=class extends w{name="TooManyRequestsError"},U=class extends w{name="Unavaila\
bleError"},C=class extends Error{name="ConnectionError";constructor(n,t,s){super(`${n} ${t} got no a\
nswer: ${s instanceof Error?s.message:s}`,{cause:s})}},Ce=new Map([[400,V],[401,R],[403,B],[404,E],[
409,N],[410,E],[412,H],[413,$],[422,$],[429,z],[503,U]]);async function K(e,n,t){let{status:s,headers:o}=t,
a=await t.text().catch(()=>"");return new(Ce.get(s)??w)({method:e,path:n,status:s,body:Ke(a),headers:o})}
function Ke(e){try{return JSON.parse(e)}catch{return e}}function Ie(e){if(typeof e!="object"||e===null)
return{};let{details:n,detail:t,error:s,message:o,hint:a,field:d,...l}=e;if(typeof n=="object"&&n!==
null)return Q(n);if(typeof t=="object"&&t!==null)return Q(t);let c=[s,o,t,a].filter(y=>typeof y=="st\
ring");return c.length>0?{[typeof d=="string"?d:""]:c}:Q({...l,error:s,message:o,detail:t,hint:a,field:d})}
var Q=e=>Object.fromEntries(Object.entries(e).filter(([,n])=>Array.isArray(n)||typeof n=="string").map(
([n,t])=>[n,[t].flat().map(String)]));function G(e,n=Date.now()){if(e===null)return;if(/^\d+$/.test(
e))return Number(e);let t=Date.parse(e);return Number.isNaN(t)?void 0:Math.max(0,(t-n)/1e3)}var pe=429,ve=503;function ge(e,n,t,{attempts:s=4,delayMaxMs:o=3e4}={}){if(e>=s)return;let a=n?.status===
pe||n?.status===ve;if(n!==void 0&&!a||n?.status!==pe&&!t)return;let d=G(n?.headers.get("retry-after")??
null),l=Math.min(o,200*2**e)*(.5+Math.random()/2),c=d===void 0?l:d*1e3+Math.random()*100;return c<=o?
c:void 0}function me(e,n){return new Promise((t,s)=>{n?.throwIfAborted();let o=()=>{clearTimeout(a),
s(n?.reason)},a=setTimeout(()=>{n?.removeEventListener("abort",o),t()},e);n?.addEventListener("abort",
o,{once:!0})})}function we(){let e=null;return{read:()=>e,write(n){e=n}}}var F="/api/auth/jwt/token/",Me=1e4;function Oe(e,n){if(e&&"apiKey"in e)return he(async()=>`Api-Key ${e.
apiKey}`);if(e&&"token"in e){let{token:t}=e;return he(async()=>`Bearer ${typeof t=="string"?t:await t()}`)}
return qe(e,n)}function he(e){let n=()=>Promise.reject(new Error("This client has fixed credentials."));
return{authorization:e,async renew(t){let s=await e();return s===t?void 0:s},signIn:n,keep:n,signOut:n}}
function qe(e={},n){let{username:t,password:s,store:o=we()}=e,a,d=r=>r===null?void 0:`Bearer ${r.access}`;
async function l(r,i){let u=await n(r,i);if(!u.ok)throw await K("POST",r,u);let f=be(await u.json());
return await o.write(f),f}let c=(r,i)=>l(F,{username:r,password:i});async function y(){return t!==void 0&&
s!==void 0?c(t,s):null}async function m(r){let i=await o.read();if(i===null)return y();if(r!==void 0&&
i.access!==r&&i.expiresAt>Date.now())return i;try{return await l(`${F}refresh/`,{refresh:i.refresh})}catch(u){
if(!(u instanceof R))throw u;return await o.write(null),y()}}function p(r){return a??=Le(o,()=>m(r)).
finally(()=>{a=void 0}),a}return{async authorization(){if(a)return d(await a);let r=await o.read(),i=r!==
null&&r.expiresAt-Me>Date.now();return d(i?r:await p(r?.access))},async renew(r){let i=await o.read();
if(r!==void 0&&d(i)!==r&&i!==null)return d(i);let u=d(await p(i?.access));return u===r?void 0:u},async signIn(r,i){
await c(r,i)},async keep(r){await o.write(be(r))},async signOut(){let r=await o.read();await o.write(
null),r&&await n(`${F}blacklist/`,{refresh:r.refresh})}}}var be=({access:e,refresh:n,expires_in:t})=>({
access:e,refresh:n,expiresAt:Date.now()+t*1e3});function Le(e,n){if(e.alone)return e.alone(n);let{shared:t}=e,
{navigator:s}=globalThis;return t!==void 0&&s?.locks?s.locks.request(`tessera ${t}`,n):n()}function Te(e){let{url:n,site:t,retry:s,timeoutMs:o}=e,a=`${n.replace(/\/+$/,"")}${t===void 0?"":`/s\
ites/${encodeURIComponent(t)}`}`,d=e.fetch??(p=>globalThis.fetch(p));async function l(p,r){let{method:i="\
GET",path:u,query:f,body:g,signal:h}=p,O=`${a}${u}${Qe(f)}`,ke=i==="GET"||r.has("idempotency-key");for(let J=1;;J++){
h?.throwIfAborted();let T,X,I=Ve(o,h);try{let j={method:i,headers:r,body:g===void 0?null:JSON.stringify(
g)};T=await d(new Request(O,{...j,...I.signal?{signal:I.signal}:{}}))}catch(j){if(h?.aborted)throw j;
X=j}finally{I.end()}let Y=ge(J,T,ke,s);if(Y===void 0){if(T)return T;throw new C(i,u,X)}await T?.body?.
cancel(),await me(Y,h)}}let c=(p,r)=>l({method:"POST",path:p,body:r},new Headers({"content-type":"ap\
plication/json"})),y=Oe(e.auth,c);async function m(p){let r=We(p),i=g=>g&&r.set("authorization",g),u=await y.
authorization();i(u);let f=await l(p,r);if(f.status===401){let g=await y.renew(u);g!==void 0&&(await f.
body?.cancel(),i(g),f=await l(p,r))}if(f.ok)return f;throw await K(p.method??"GET",p.path,f)}return{
session:y,send:m,async json(p){let i=await(await m(p)).text();return i===""?void 0:JSON.parse(i)}}}function We({
body:e,headers:n,key:t}){let s=new Headers({accept:"application/json",...n});return e!==void 0&&s.set(
"content-type","application/json"),t&&s.set("idempotency-key",t===!0?De():t),s}var De=()=>[...crypto.
getRandomValues(new Uint8Array(16))].map(e=>e.toString(16).padStart(2,"0")).join("");function Qe(e={}){
let n=Object.entries(e).flatMap(([t,s])=>s===void 0?[]:[[t,String(s)]]);return n.length===0?"":`?${new URLSearchParams(
n)}`}function Ve(e,n){if(e===void 0)return{signal:n,end:()=>{}};let t=new AbortController,s=setTimeout(
()=>t.abort(new Error(`No answer within ${e} ms.`)),e);return{signal:n?AbortSignal.any([n,t.signal]):
t.signal,end:()=>clearTimeout(s)}}var Be="x-schema-hash";function xe(e={},n=Ne){let t=new Map;return(s,o,a)=>{let d=a.headers.get(Be);
if(d===null)return;let l=`${s}/${o}`,c=t.get(l)??e[s]?.[o]??d;t.set(l,d),c!==d&&n({app:s,table:o,expected:c,
actual:d})}}var Ne=({app:e,table:n})=>console.warn(`tessera-client: the schema of ${e}.${n} has chan\
ged. Generate its types again.`);function Rn(e,n,t){let{session:s,send:o,json:a}=Te({url:e,fetch:n}),d={session:s,send:y=>t(o(y)),json:y=>t(
a(y))},l=xe(),c=new Map;return c.set("then",void 0),new Proxy(Object.freeze({}),{get(y,m){if(typeof m==
"string")return c.has(m)||c.set(m,ye(d,m,l)),c.get(m)}})}export{Rn as databaseOf};
