/** The client of tables, for `context.db`. `npm run build:client` makes it of client/src/in-function.ts. */
async function te(e,n,r,t={}){let o=[],a=new Map,d=(u,s)=>{let i=`o${o.length}`,l=Se(i);return a.set(
l,o.length),o.push(s?{...u,as:i}:u),l},f=new Proxy({},{get:(u,s)=>Pe(String(s),d)}),c=r(f),g=new Set(
JSON.stringify(o).match(/(?<="\$":")o\d+/g)),p=await e.json({method:"POST",path:n,body:o.map(({as:u,
...s})=>u!==void 0&&g.has(u)?{...s,as:u}:s),query:{dry_run:t.dryRun||void 0},key:t.idempotencyKey??!0,
signal:t.signal}),w=u=>p.data[a.get(u)??-1]?.data??null;if(a.has(c))return w(c);if(!(typeof c!="obje\
ct"||c===null))return Array.isArray(c)?c.map(w):Object.fromEntries(Object.entries(c).map(([u,s])=>[u,
w(s)]))}var Pe=(e,n)=>({create:r=>n({op:"create",table:e,data:r},!0),update:(r,t,o={})=>n({op:"updat\
e",table:e,id:ne(r),data:t,...L(o)},!0),upsert:(r,{uniqueFields:t,...o})=>n({op:"upsert",table:e,unique_fields:t,
data:r,...L(o)},!0),delete:(r,t={})=>n({op:"delete",table:e,id:ne(r),...L(t)},!1),createEdge:r=>n({op:"\
create_edge",table:e,data:r},!1),deleteEdge:r=>n({op:"delete_edge",table:e,id:r},!1)}),L=e=>({...e.ifMatch===
void 0?{}:{if_match:e.ifMatch},...e.includeDeleted?{include_deleted:!0}:{},...e.hard?{hard_delete:!0}:
{}}),ne=e=>typeof e=="object"&&"$"in e?{$:e.$}:e,Se=e=>new Proxy({},{get:(n,r)=>typeof r=="string"?{
$:`${e}.${r}`}:void 0});function re(e){let n=typeof e=="object"?e.map(se).join(","):Ee(String(e));if(n===""||n==="."||n===".\
.")throw new TypeError(`"${n}" is not the key of a record.`);return encodeURIComponent(n)}var A=e=>e.
flat().map(se).join(","),se=e=>{let n=String(e);return/[",]|^$/.test(n)?oe(n):n},Ee=e=>e.startsWith(
'"')?oe(e):e,oe=e=>`"${e.replaceAll('"','""')}"`;var x=e=>({...E(e),...M(e),page:e.page,page_size:e.pageSize,limit:e.limit,offset:e.offset,after:e.after,
before:e.before,_total:e.total,_rank:T(e.rank),_highlight:S(e.highlight)}),M=e=>({filters:e.where&&q(
e.where),search:e.search,_language:e.language,_fuzzy:T(e.fuzzy),ordering:S(e.ordering),_distinct:S(e.
distinct),only_deleted:T(e.onlyDeleted),include_deleted:T(e.includeDeleted),as_of:ie(e.asOf)}),E=e=>({
fields:S(e.fields),populate:_e(e.populate),_annotate:e.annotate&&D(e.annotate),include_deleted:T(e.includeDeleted),
as_of:ie(e.asOf)}),q=e=>Object.keys(e).length===0?void 0:JSON.stringify(e);function W(e,{expect:n,limit:r,
all:t}){let o=JSON.stringify(e,(d,f)=>{if(f===void 0)throw new TypeError(`The filter "${d}" has no v\
alue: it is undefined.`);return f});return{filter:t===!0&&Object.keys(e).length===0?void 0:o,expect:n,
limit:r,all:T(t)}}var D=e=>Object.entries(e).map(([n,r])=>`${typeof r=="string"?r:r.expression} as ${n}`).
join(",");var T=e=>e===!0?!0:void 0,S=e=>e?.join(","),ie=e=>e instanceof Date?e.toISOString():e;function _e(e){
if(e!==void 0)return Array.isArray(e)?e.join(","):JSON.stringify(ae(e))}var ae=e=>Object.fromEntries(
Object.entries(e).map(([n,r])=>[n,$e(r)])),$e=({where:e,ordering:n,fields:r,populate:t,...o})=>({...o,
...e?{filters:e}:{},...n?{ordering:n.join(",")}:{},...r?{fields:r.join(",")}:{},...t?{populate:Array.
isArray(t)?t.join(","):ae(t)}:{}});function de(e,n){let r=(t,o,a,d)=>e.json({method:t,path:o,query:{dry_run:d.dryRun||void 0},body:a,key:d.
idempotencyKey??!0,signal:d.signal});return{async list({from:t,to:o,types:a,page:d,pageSize:f,total:c,
signal:g}={}){let w={...{from_id:t&&A(t),to_id:o&&A(o)},types:a?.join(","),page:d,page_size:f,_total:c},
u=await e.json({path:n,query:w,signal:g});return{data:u.results,total:u.total}},async create(t,o={}){
return(await r("POST",n,t,o)).results},async replace(t,o,a={}){let d=`${n}${encodeURIComponent(t)}/`;
return(await r("PATCH",d,o,a)).data},async delete(t,o={}){return(await r("DELETE",n,{edge_ids:t},o)).
deleted}}}function ue(e,n,r){let t=(o,a,d)=>e.json({path:o===void 0?n:r(o),query:{...d,depth:a.depth,
relationship_type:a.types?.join(","),filters:a.where&&q(a.where),fields:a.fields?.join(","),ordering:a.
ordering?.join(",")},signal:a.signal});return{async walk(o,a,d={}){let{data:f,...c}=await t(o,d,{include:a});
return{record:f,related:c}},async tree(o={}){let{from:a,include:d,...f}=o;return[(await t(a,f,{format:"\
tree",...d?{include:d}:{}})).data].flat()},async graph(o={}){let{from:a,include:d,...f}=o,c={format:"\
graph",...d?{include:d}:{}};return(await t(a,f,c)).data}}}async function*ce(e){let n="";for await(let r of fe(e)){let t=(n+r).split(`
`);n=t.pop()??"";for(let o of t)o.trim()!==""&&(yield JSON.parse(o))}n.trim()!==""&&(yield JSON.parse(
n))}var R=/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/y;async function*le(e){let n="",r=[];for await(let t of fe(
e)){n+=t,R.lastIndex=0;let o=0;for(let a=R.exec(n);a;a=R.exec(n)){let[,d,f,c]=a;r.push(d===void 0?f||
null:d.replaceAll('""','"')),o=R.lastIndex,c!==","&&(yield r,r=[],R.lastIndex=o)}n=n.slice(o)}if(n!==
"")throw new Error("The CSV ends within a row.")}async function*fe({body:e}){if(!e)return;let n=e.getReader(),
r=new TextDecoder;try{for(;;){let{done:t,value:o}=await n.read();if(yield r.decode(o,{stream:!t}),t)
return}}finally{await n.cancel().catch(()=>{})}}async function _({transport:e,path:n},r){let{signal:t}=r,{data:o,total:a,page:d,page_size:f,meta:c}=await e.
json({path:n,query:x(r),signal:t}),{has_more:g,total_is:p,next:w=null,previous:u=null}=c;return{data:o,
total:a,totalIs:p,page:d,pageSize:f,hasMore:g,next:w,previous:u}}async function*Q(e,n){let{after:r=""}=n;
for(;;){let t=await _(e,{...n,after:r});if((t.data.length>0||r==="")&&(yield t),t.next===null)return;
r=t.next}}var ve=500;async function*ye(e,n){let{pageSize:r=ve,total:t="none"}=n,o={...n,pageSize:r,total:t};
for await(let{data:a}of Q(e,o))yield*a}function pe(e,n,r){let t=`${n}data/`,o={transport:e,path:t},a=s=>`${t}${re(s)}/`,d=(s,i,l,y,m={})=>e.
json({method:s,path:i,query:{...m,dry_run:y.dryRun||void 0},body:l,key:y.idempotencyKey??!0,signal:y.
signal}),f=(s,i,l,y,m)=>e.json({method:s,path:a(i),query:{...m,include_deleted:y.includeDeleted||void 0,
dry_run:y.dryRun||void 0},body:l,key:y.idempotencyKey??!0,signal:y.signal,headers:y.ifMatch===void 0?
{}:{"if-match":y.ifMatch}}),c=async s=>(await s).data;async function g(s,i,l,y,m){let b=y.atomic===!1?
{atomic:!1}:{},k=await d(s,i,l,y,{...m,...b});return{data:k.data??[],ignored:k.ignored??[],failed:k.
failed??[]}}async function p(s,i={}){return c(e.json({path:a(s),query:E(i),signal:i.signal}))}let w=(s,i)=>e.
send({path:t,query:x(i),headers:{accept:s},signal:i.signal}),u=({values:s,by:i,having:l,ordering:y,...m})=>({
...x({...m,ordering:y}),_aggregate:D(s),_group_by:i?.join(","),_having:l?.join(",")});return{list:(s={})=>_(
o,s),live(s={}){if(!r)throw new Error("A function cannot follow lists. It hears of events.");return r(
t,x(s),s)},pages:(s={})=>Q(o,s),each:(s={})=>ye(o,s),search:(s,i={})=>_(o,{...i,search:s}),get:p,async getWithETag(s,i={}){
let l={path:a(s),query:E(i),signal:i.signal},y=await e.send(l),{data:m}=await y.json();return{data:m,
etag:y.headers.get("etag")}},async find(s,i={}){try{return await p(s,i)}catch(l){if(l instanceof Error&&
"status"in l&&l.status===404)return;throw l}},async count(s={}){let i={...M(s),_count:!0,_total:s.total};
return(await e.json({path:t,query:i,signal:s.signal})).total},async aggregate(s){let i=u(s),l={path:t,
query:i,signal:s.signal};return(await e.json(l)).aggregates},groups:s=>Ce(e,t,u(s),s.signal),async*stream(s={}){
yield*ce(await w("application/x-ndjson",s))},async*csv(s={}){yield*le(await w("text/csv",s))},create:(s,i={})=>c(
d("POST",t,s,i)),createMany:(s,i={})=>g("POST",t,s,i,{on_conflict:i.onConflict}),update:(s,i,l={})=>c(
f("PATCH",s,i,l)),updateMany:(s,i={})=>g("PATCH",t,s,i,{}),async updateWhere(s,i,l={}){let y={...W(s,
l),return:"minimal"};return(await d("PATCH",t,i,l,y)).updated_count},replace:(s,i,l={})=>c(f("PUT",s,
i,l)),async upsert(s,{uniqueFields:i,...l}){let y={unique_fields:i.join(",")},m=await d("POST",`${t}\
upsert/`,s,l,y);return{data:m.data,created:m.created}},upsertMany:(s,{uniqueFields:i,...l})=>g("POST",
`${t}upsert/`,s,l,{unique_fields:i.join(",")}),async delete(s,i={}){await f("DELETE",s,void 0,i,{hard_delete:i.
hard||void 0})},async deleteMany(s,i={}){let l={ids:A(s),hard_delete:i.hard||void 0};return(await d(
"DELETE",t,void 0,i,l)).deleted},async deleteWhere(s,i={}){let l={...W(s,i),hard_delete:i.hard||void 0};
return(await d("DELETE",t,void 0,i,l)).deleted},history:(s,{page:i,pageSize:l,ordering:y,operation:m,
signal:b}={})=>e.json({path:`${a(s)}history/`,query:{page:i,page_size:l,ordering:y,operation:m},signal:b}),
restore:(s,i,l={})=>c(d("POST",`${a(s)}restore/${encodeURIComponent(i)}/`,void 0,l)),edges:de(e,`${n}\
edges/`),...ue(e,t,a)}}async function Ce(e,n,r,t){let o=await e.json({path:n,query:r,signal:t});return{
data:o.data,total:o.total,hasMore:o.meta.has_more}}function ge(e,n,r,{follow:t,more:o=()=>({})}={}){let a=`/api/apps/${encodeURIComponent(n)}/`,d=new Map,
f=g=>{let p=d.get(g)??pe(Ke(e,w=>r(n,g,w)),`${a}datatables/${encodeURIComponent(g)}/`,t);return d.set(
g,p),p},c=new Map([["$batch",(g,p)=>te(e,`${a}batch/`,g,p)],["$table",f],...Object.entries(o(a)),["t\
hen",void 0]]);return new Proxy({},{get:(g,p)=>typeof p!="string"||c.has(p)?c.get(String(p)):f(p)})}
function Ke(e,n){let r=async t=>{let o=await e.send(t);return n(o),o};return{session:e.session,send:r,
async json(t){let o=await(await r(t)).text();return o===""?void 0:JSON.parse(o)}}}var h=class extends Error{name="TesseraError";status;code;body;messages;requestId;retryAfterSeconds;constructor({
method:n,path:r,status:t,body:o,headers:a}){let d=Me(o),f=Object.entries(d).flatMap(([c,g])=>g.map(p=>c?
`${c}: ${p}`:p));super(`${n} ${r} answered ${t}${f.length>0?`: ${f.join(" ")}`:""}`),this.status=t,this.
code=a.get("x-error-code")??"unknown",this.body=o,this.messages=d,this.requestId=a.get("x-request-id"),
this.retryAfterSeconds=G(a.get("retry-after"))}},N=class extends h{name="InvalidRequestError"},j=class extends h{name="\
UnauthenticatedError"},B=class extends h{name="ForbiddenError"},$=class extends h{name="NotFoundErro\
r"},H=class extends h{name="ConflictError"},z=class extends h{name="StaleError"},v=class extends h{name="\
UnprocessableError"},U=class extends h{name="TooManyRequestsError"},F=class extends h{name="Unavaila\
bleError"},C=class extends Error{name="ConnectionError";constructor(n,r,t){super(`${n} ${r} got no a\
nswer: ${t instanceof Error?t.message:t}`,{cause:t})}},Ie=new Map([[400,N],[401,j],[403,B],[404,$],[
409,H],[410,$],[412,z],[413,v],[422,v],[429,U],[503,F]]);async function K(e,n,r){let{status:t,headers:o}=r,
a=await r.text().catch(()=>"");return new(Ie.get(t)??h)({method:e,path:n,status:t,body:Le(a),headers:o})}
function Le(e){try{return JSON.parse(e)}catch{return e}}function Me(e){if(typeof e!="object"||e===null)
return{};let{details:n,detail:r,error:t,message:o,hint:a,field:d,...f}=e;if(typeof n=="object"&&n!==
null)return V(n);if(typeof r=="object"&&r!==null)return V(r);let c=[t,o,r,a].filter(g=>typeof g=="st\
ring");return c.length>0?{[typeof d=="string"?d:""]:c}:V({...f,error:t,message:o,detail:r,hint:a,field:d})}
var V=e=>Object.fromEntries(Object.entries(e).filter(([,n])=>Array.isArray(n)||typeof n=="string").map(
([n,r])=>[n,[r].flat().map(String)]));function G(e,n=Date.now()){if(e===null)return;if(/^\d+$/.test(
e))return Number(e);let r=Date.parse(e);return Number.isNaN(r)?void 0:Math.max(0,(r-n)/1e3)}var me=429,qe=503;function we(e,n,r,{attempts:t=4,delayMaxMs:o=3e4}={}){if(e>=t)return;let a=n?.status===
me||n?.status===qe;if(n!==void 0&&!a||n?.status!==me&&!r)return;let d=G(n?.headers.get("retry-after")??
null),f=Math.min(o,200*2**e)*(.5+Math.random()/2),c=d===void 0?f:d*1e3+Math.random()*100;return c<=o?
c:void 0}function he(e,n){return new Promise((r,t)=>{n?.throwIfAborted();let o=()=>{clearTimeout(a),
t(n?.reason)},a=setTimeout(()=>{n?.removeEventListener("abort",o),r()},e);n?.addEventListener("abort",
o,{once:!0})})}function be(){let e=null;return{read:()=>e,write(n){e=n}}}var J="/api/auth/jwt/token/",We=1e4;function xe(e,n){if(e&&"apiKey"in e)return Oe(async()=>`Api-Key ${e.
apiKey}`);if(e&&"token"in e){let{token:r}=e;return Oe(async()=>`Bearer ${typeof r=="string"?r:await r()}`)}
return De(e,n)}function Oe(e){let n=()=>Promise.reject(new Error("This client has fixed credentials."));
return{authorization:e,async renew(r){let t=await e();return t===r?void 0:t},signIn:n,keep:n,signOut:n}}
function De(e={},n){let{username:r,password:t,store:o=be()}=e,a,d=u=>u===null?void 0:`Bearer ${u.access}`;
async function f(u,s){let i=await n(u,s);if(!i.ok)throw await K("POST",u,i);let l=Te(await i.json());
return await o.write(l),l}let c=(u,s)=>f(J,{username:u,password:s});async function g(){return r!==void 0&&
t!==void 0?c(r,t):null}async function p(u){let s=await o.read();if(s===null)return g();if(u!==void 0&&
s.access!==u&&s.expiresAt>Date.now())return s;try{return await f(`${J}refresh/`,{refresh:s.refresh})}catch(i){
if(!(i instanceof j))throw i;return await o.write(null),g()}}function w(u){return a??=Qe(o,()=>p(u)).
finally(()=>{a=void 0}),a}return{async authorization(){if(a)return d(await a);let u=await o.read(),s=u!==
null&&u.expiresAt-We>Date.now();return d(s?u:await w(u?.access))},async renew(u){let s=await o.read();
if(u!==void 0&&d(s)!==u&&s!==null)return d(s);let i=d(await w(s?.access));return i===u?void 0:i},async signIn(u,s){
await c(u,s)},async keep(u){await o.write(Te(u))},async signOut(){let u=await o.read();await o.write(
null),u&&await n(`${J}blacklist/`,{refresh:u.refresh})}}}var Te=({access:e,refresh:n,expires_in:r})=>({
access:e,refresh:n,expiresAt:Date.now()+r*1e3});function Qe(e,n){if(e.alone)return e.alone(n);let{shared:r}=e,
{navigator:t}=globalThis;return r!==void 0&&t?.locks?t.locks.request(`tessera ${r}`,n):n()}var X="0.2.0";var Ve="x-tessera-version";function ke(e=console.warn){let n=!1;return({headers:r})=>{let t=n?null:r.
get(Ve);t!==null&&(n=!0,Ne(X,t)||e(`tessera-client ${X} may not fit this service, which has the vers\
ion ${t}. Install tessera-client@${t}.`))}}function Ne(e,n){let[[r,t],[o,a]]=[e,n].map(Be);return r===
o&&(r===0?t===a:t<=a)}var Be=e=>e.split(".",2).map(Number);function Ae(e){let{url:n,site:r,retry:t,timeoutMs:o}=e,a=`${n.replace(/\/+$/,"")}${r===void 0?"":`/s\
ites/${encodeURIComponent(r)}`}`,d=e.fetch??(u=>globalThis.fetch(u)),f=ke();async function c(u,s){let{
method:i="GET",path:l,query:y,body:m,signal:b}=u,k=`${a}${l}${Ue(y)}`,je=i==="GET"||s.has("idempoten\
cy-key");for(let Y=1;;Y++){b?.throwIfAborted();let O,Z,I=Fe(o,b);try{let P={method:i,headers:s,body:m===
void 0?null:JSON.stringify(m)};O=await d(new Request(k,{...P,...I.signal?{signal:I.signal}:{}}))}catch(P){
if(b?.aborted)throw P;Z=P}finally{I.end()}let ee=we(Y,O,je,t);if(ee===void 0){if(O)return f(O),O;throw new C(
i,l,Z)}await O?.body?.cancel(),await he(ee,b)}}let g=(u,s)=>c({method:"POST",path:u,body:s},new Headers(
{"content-type":"application/json"})),p=xe(e.auth,g);async function w(u){let s=He(u),i=m=>m&&s.set("\
authorization",m),l=await p.authorization();i(l);let y=await c(u,s);if(y.status===401){let m=await p.
renew(l);m!==void 0&&(await y.body?.cancel(),i(m),y=await c(u,s))}if(y.ok)return y;throw await K(u.method??
"GET",u.path,y)}return{session:p,send:w,async json(u){let i=await(await w(u)).text();return i===""?void 0:
JSON.parse(i)}}}function He({body:e,headers:n,key:r}){let t=new Headers({accept:"application/json",...n});
return e!==void 0&&t.set("content-type","application/json"),r&&t.set("idempotency-key",r===!0?ze():r),
t}var ze=()=>[...crypto.getRandomValues(new Uint8Array(16))].map(e=>e.toString(16).padStart(2,"0")).
join("");function Ue(e={}){let n=Object.entries(e).flatMap(([r,t])=>t===void 0?[]:[[r,String(t)]]);return n.
length===0?"":`?${new URLSearchParams(n)}`}function Fe(e,n){if(e===void 0)return{signal:n,end:()=>{}};
let r=new AbortController,t=setTimeout(()=>r.abort(new Error(`No answer within ${e} ms.`)),e);return{
signal:n?AbortSignal.any([n,r.signal]):r.signal,end:()=>clearTimeout(t)}}var Ge="x-schema-hash";function Re(e={},n=Je){let r=new Map;return(t,o,a)=>{let d=a.headers.get(Ge);
if(d===null)return;let f=`${t}/${o}`,c=r.get(f)??e[t]?.[o]??d;r.set(f,d),c!==d&&n({app:t,table:o,expected:c,
actual:d})}}var Je=({app:e,table:n})=>console.warn(`tessera-client: the schema of ${e}.${n} has chan\
ged. Generate its types again.`);function In(e,n,r){let{session:t,send:o,json:a}=Ae({url:e,fetch:n}),d={session:t,send:g=>r(o(g)),json:g=>r(
a(g))},f=Re(),c=new Map;return c.set("then",void 0),new Proxy(Object.freeze({}),{get(g,p){if(typeof p==
"string")return c.has(p)||c.set(p,ge(d,p,f)),c.get(p)}})}export{In as databaseOf};
